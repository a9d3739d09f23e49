/** The story of one request: authenticate → receive → admit → perform → settle → reply. */
import type { IncomingMessage } from 'node:http'
import type { Caller } from '../accounts/handler.ts'
import type { Lease, Receiver } from '../body/receive.ts'
import {
  type Answer,
  type Extent,
  hasFailed,
  type Performer,
  type PerformFailure,
} from '../compute/perform.ts'
import type { Pool } from '../compute/pool.ts'
import { Failure, type FailureCode, failures } from '../errors.ts'
import type { Call } from '../ledger/types.ts'
import { type Meter, unavailable } from '../metering/meter.ts'
import { NotCommitted, OutcomeUnknown } from '../store/store.ts'
import { type Admitted, admit, idempotentRequest, peek, Refused } from './admit.ts'
import type { Authenticate } from './authenticate.ts'
import {
  envelope,
  failed,
  type OutgoingReply,
  type Reply,
  success,
  withCharge,
  withStanding,
} from './reply.ts'
import { admitAndSettle, outcomeOf, settle } from './settle.ts'

/** The parts a request passes through. */
export interface Pipeline {
  readonly authenticate: Authenticate
  readonly receiver: Receiver
  readonly meter: Meter
  readonly pool: Pool
  /** Told of every error that is a bug. */
  readonly onInternalError: (error: unknown, requestId: string) => void
}

/** A request, as much as the pipeline needs of it. */
export interface Incoming {
  readonly request: IncomingMessage
  readonly path: string
  /** A UUID that no other request has, whatever its client calls it. */
  readonly id: string
  readonly requestId: string
  readonly ip: string
  /** What `ip` counts as where limits per address apply. */
  readonly subject: string
  readonly outgoing: OutgoingReply
}

/** Bodies up to this size are parsed on the event loop, and work up to this estimate is done there. */
const INLINE_BYTES = 64 * 1024
const INLINE_MICROS = 2_000

const NOTHING_CHARGED = { charged: 0, replayed: false }

/** Answers a computation. */
export async function serveComputation(
  pipeline: Pipeline,
  incoming: Incoming,
  performer: Performer,
): Promise<Reply> {
  const startedAt = performance.now()
  const { requestId } = incoming
  const lease = pipeline.receiver.lease()
  try {
    const caller = await pipeline.authenticate(header(incoming, 'x-api-key'), incoming.ip)
    incoming.outgoing.admit(caller.accountId)
    const request = await begin(lease, incoming, caller)
    const done = perform(performer, request.body)
    const { body, settled } =
      done === null
        ? await performInPool(pipeline, performer, request as Request<Buffer>, startedAt)
        : await settleAtOnce(pipeline.meter, request, done, startedAt)
    const reply = body instanceof Failure ? failed(body, requestId) : success(body, requestId)
    return withCharge(withStanding(reply, settled.standing), settled)
  } catch (error) {
    const reply = refusalReply(error, pipeline, requestId)
    return error instanceof Refused ? withCharge(reply, NOTHING_CHARGED) : reply
  } finally {
    incoming.outgoing.afterwards(() => lease.release())
  }
}

/** A request whose body was received, or could not be: that is counted like any other outcome. */
interface Request<Body = Buffer | Failure> {
  readonly body: Body
  /** The call as the ledger enters it, once its extent is known. */
  call(extent: Extent): Call
}

async function begin(lease: Lease, incoming: Incoming, caller: Caller): Promise<Request> {
  const { id, ip, path, requestId } = incoming
  const method = incoming.request.method ?? 'POST'
  const request = <Body>(body: Body, idempotent: Call['idempotency']): Request<Body> => ({
    body,
    call: ({ cost, units }) => ({
      id,
      accountId: caller.accountId,
      keyId: caller.keyId,
      kind: 'computation',
      method,
      path,
      ip,
      requestId,
      cost,
      units,
      idempotency: idempotent,
    }),
  })
  try {
    const idempotent = idempotentRequest(header(incoming, 'idempotency-key'), method, path)
    const wanted = { required: true, owner: caller.accountId, onBytes: idempotent?.update }
    const body = await lease.receive(incoming.request, wanted)
    return request(body, idempotent?.bound() ?? null)
  } catch (error) {
    const isCounted = error instanceof Failure && error.code !== 'overloaded' && !incoming.request.destroyed
    if (isCounted) return request(error, null)
    throw error
  }
}

/** Work that was done, or came to nothing, before it was paid. */
interface Done {
  readonly extent: Extent
  readonly answer: Answer | Failure
}

/** Small work is done at once; null: it belongs into the pool. */
function perform(performer: Performer, body: Buffer | Failure): Done | null {
  if (body instanceof Failure) return { extent: performer.least, answer: body }
  if (body.length > INLINE_BYTES) return null
  const work = performer.read(body)
  if (hasFailed(work)) return { extent: performer.least, answer: asFailure(work) }
  if (work.micros > INLINE_MICROS) return null
  const answer = work.perform()
  return { extent: work.extent, answer: hasFailed(answer) ? asFailure(answer) : answer }
}

/** Work that is done already needs one transaction only; its result is withheld until it is paid. */
async function settleAtOnce(meter: Meter, request: Request, { answer, extent }: Done, startedAt: number) {
  const isFailure = answer instanceof Failure
  const call = request.call(extent)
  try {
    const settled = await admitAndSettle(meter, call, outcomeOf(answer, startedAt))
    return { settled, body: isFailure ? answer : envelope(answer.data) }
  } catch (error) {
    if (!(error instanceof Refused) || !isFailure) throw error
    // A conflict consumes nothing, so it may not pass for a failure that does.
    const isConflict = error.failure.code === 'idempotency_conflict'
    if (isConflict || !precedes(answer.code, error.failure.code)) throw error
    throw new Refused(answer, error.standing)
  }
}

/** Large or heavy work is admitted first, so that nobody computes who may not. */
async function performInPool(
  pipeline: Pipeline,
  { extent, least, path }: Performer,
  request: Request<Buffer>,
  startedAt: number,
) {
  const { meter, pool } = pipeline
  const { accountId, requestId } = request.call(least)
  let admitted: Admitted | null = null
  const admitFor = async (extent: Extent): Promise<void> => {
    admitted = await admit(meter, request.call(extent))
  }
  // Where only the body tells the extent, nobody has it read to whom not even the least would be granted.
  await (extent === null ? peek(meter, request.call(least)) : admitFor(extent))
  const answer = await pool.perform(path, request.body, accountId, extent === null ? admitFor : null).then(
    (result) => (hasFailed(result) ? asFailure(result) : result),
    (error) => {
      if (error instanceof Refused) throw error
      return failureOf(error, pipeline, requestId)
    },
  )
  if (admitted === null)
    return await settleAtOnce(meter, request, { extent: least, answer: answer as Failure }, startedAt)
  const settled = await settle(meter, admitted, outcomeOf(answer, startedAt))
  return { settled, body: answer instanceof Failure ? answer : answer.body }
}

const asFailure = ({ code, details, message }: PerformFailure) => new Failure(code, message, { details })

const order = Object.keys(failures)
const precedes = (a: FailureCode, b: FailureCode): boolean => order.indexOf(a) < order.indexOf(b)

/** Any error as a failure to answer with; a bug is reported. */
export function failureOf(
  error: unknown,
  { onInternalError }: Pick<Pipeline, 'onInternalError'>,
  requestId: string,
): Failure {
  if (error instanceof Failure) return error
  if (error instanceof NotCommitted || error instanceof OutcomeUnknown) return unavailable(error)
  onInternalError(error, requestId)
  return internal(error)
}

const internal = (cause: unknown) =>
  new Failure('internal', 'Something went wrong on our side; nothing was charged. Report the request id.', {
    cause,
  })

/** The reply to a request that was not settled. */
export function refusalReply(error: unknown, pipeline: Pipeline, requestId: string): Reply {
  if (!(error instanceof Refused)) return failed(failureOf(error, pipeline, requestId), requestId)
  const reply = failed(error.failure, requestId)
  return error.standing === null ? reply : withStanding(reply, error.standing)
}

export function header(incoming: Incoming, name: string): string | undefined {
  const value = incoming.request.headers[name]
  return Array.isArray(value) ? value[0] : value
}
