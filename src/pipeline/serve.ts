/** The story of one computation request: authenticate → receive → admit → compute → settle → reply. */
import type { Caller } from '../accounts/handler.ts'
import { refuseUnknownParameters } from '../body/query.ts'
import type { Lease } from '../body/receive.ts'
import type { Computation, Extent } from '../compute/computation.ts'
import { type EnvelopedResult, envelope } from '../compute/envelope.ts'
import type { AdmittedRun } from '../compute/pool.ts'
import { Failure } from '../errors.ts'
import type { Call } from '../ledger/types.ts'
import type { Meter } from '../metering/meter.ts'
import { type Admitted, admit, peek } from './admit.ts'
import { apiKeyOf } from './api-key.ts'
import { idempotentRequest } from './idempotency.ts'
import { header, type Incoming, type Pipeline } from './incoming.ts'
import { precedingRefusal, Refused } from './refused.ts'
import { type Reply, reportBug, settledReply, unsettledReply, withCharge } from './reply.ts'
import { admitAndSettle, type Settled, settle } from './settle.ts'

/** Bodies up to this size are parsed on the event loop, and jobs up to this estimate run there. */
const INLINE_BYTES = 64 * 1024
const INLINE_MICROS = 2_000

const NOTHING_CHARGED = { charged: 0, replayed: false }

export async function serveComputation(
  pipeline: Pipeline,
  incoming: Incoming,
  computation: Computation,
): Promise<Reply> {
  const lease = pipeline.receiver.lease()
  try {
    const caller = await pipeline.authenticate(apiKeyOf(incoming), incoming.ip)
    incoming.outgoing.admit(caller.accountId)
    const request = await receive(lease, incoming, caller)
    const settled = await answer(pipeline, computation, request)
    return withCharge(settledReply(settled, incoming.requestId), settled)
  } catch (error) {
    const reply = unsettledReply(error, pipeline.onInternalError, incoming.requestId)
    return error instanceof Refused ? withCharge(reply, NOTHING_CHARGED) : reply
  } finally {
    incoming.outgoing.afterwards(() => lease.release())
  }
}

/** A request of a known caller, with its body or the reason why none could be received. */
interface Request {
  readonly incoming: Incoming
  readonly caller: Caller
  readonly idempotency: Call['idempotency']
  readonly body: Buffer | Failure
}

/** A faulty request is counted like any other; one that the service had no room for, or that was cut off, is not. */
async function receive(lease: Lease, incoming: Incoming, caller: Caller): Promise<Request> {
  const { path, query, request } = incoming
  try {
    const idempotent = idempotentRequest(header(incoming, 'idempotency-key'), methodOf(incoming), path)
    const wanted = { required: true, owner: caller.accountId, onBytes: idempotent?.update }
    const body = await lease.receive(request, wanted)
    // Only now, because 413 and 415 precede 422.
    refuseUnknownParameters(query, [])
    return { incoming, caller, idempotency: idempotent?.bound() ?? null, body }
  } catch (error) {
    // Node destroys a request also after its end.
    const isCutOff = request.destroyed && !request.readableEnded
    const isCounted = error instanceof Failure && error.code !== 'overloaded' && !isCutOff
    if (!isCounted) throw error
    return { incoming, caller, idempotency: null, body: error }
  }
}

/** A small job is computed first and entered once; all others are admitted before they are computed. */
async function answer(pipeline: Pipeline, computation: Computation, request: Request): Promise<Settled> {
  const { body } = request
  const computed =
    body instanceof Failure ? { extent: computation.least, outcome: body } : computeIfSmall(computation, body)
  return 'outcome' in computed
    ? await settleAtOnce(pipeline.meter, request, computed)
    : await admitThenSettle(pipeline, computation, request, computed.forPool)
}

/** A request whose outcome is known before it was paid. */
interface Computed {
  readonly extent: Extent
  readonly outcome: EnvelopedResult | Failure
}

function computeIfSmall(computation: Computation, body: Buffer): Computed | { readonly forPool: Buffer } {
  if (body.length > INLINE_BYTES) return { forPool: body }
  const job = computation.read(body)
  if (job instanceof Failure) return { extent: computation.least, outcome: job }
  if (job.micros > INLINE_MICROS) return { forPool: body }
  const result = job.run()
  if (result instanceof Failure) return { extent: job.extent, outcome: result }
  const { credits, parts, pieces } = result
  return { extent: job.extent, outcome: { body: envelope(pieces.join('')), credits, parts } }
}

/** One transaction for a call that is computed already; its result is withheld until it is paid. */
async function settleAtOnce(meter: Meter, request: Request, { extent, outcome }: Computed): Promise<Settled> {
  try {
    return await admitAndSettle(meter, callOf(request, extent), outcome, request.incoming.startedAt)
  } catch (error) {
    const hasTwoFailures = error instanceof Refused && outcome instanceof Failure
    throw hasTwoFailures ? precedingRefusal(error, outcome) : error
  }
}

/** Large or heavy jobs run in the pool, once they are admitted. */
async function admitThenSettle(
  pipeline: Pipeline,
  computation: Computation,
  request: Request,
  body: Buffer,
): Promise<Settled> {
  const { requestId, startedAt } = request.incoming
  const run = await runAdmitted(pipeline, computation, request, body)
  if (run.outcome instanceof Failure) reportBug(run.outcome, pipeline.onInternalError, requestId)
  return run.admitted === null
    ? await settleAtOnce(pipeline.meter, request, { extent: computation.least, outcome: run.outcome })
    : await settle(pipeline.meter, run.admitted, run.outcome, startedAt)
}

/** Admits, then computes. The cost of an operation is known at once, that of a batch only after its body was read. */
async function runAdmitted(
  { meter, pool }: Pipeline,
  { extent, least, path }: Computation,
  request: Request,
  bytes: Buffer,
): Promise<AdmittedRun<Admitted>> {
  const task = { path, bytes, owner: request.caller.accountId }
  if (extent !== null) {
    const admitted = await admit(meter, callOf(request, extent))
    return { admitted, outcome: await pool.run(task) }
  }
  // A caller who cannot afford one call does not get the batch read either.
  await peek(meter, callOf(request, least))
  return await pool.runOnceAdmitted(task, (read) => admit(meter, callOf(request, read)))
}

const methodOf = ({ request }: Incoming): string => request.method ?? 'POST'

/** The call as the ledger enters it. */
const callOf = ({ caller, idempotency, incoming }: Request, { cost, units }: Extent): Call => ({
  id: incoming.id,
  accountId: caller.accountId,
  keyId: caller.keyId,
  kind: 'computation',
  method: methodOf(incoming),
  path: incoming.path,
  ip: incoming.ip,
  requestId: incoming.requestId,
  cost,
  units,
  idempotency,
})
