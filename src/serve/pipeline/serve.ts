/** A computation request, in the order of every request. Its result is withheld until it is paid. */
import { createHash } from 'node:crypto'
import { keyForbidden } from '../../base/errors/requests.ts'
import { Failure } from '../../base/failure.ts'
import { INLINE, UNPAID } from '../../base/limits/callers.ts'
import type { Computation, Job } from '../../compute/computation.ts'
import { type JoinedResult, joinedResult } from '../../compute/result.ts'
import type { PoolTask } from '../../compute/threads/pool.ts'
import { noteRefusal, Refused } from '../../ledger/metering/refused.ts'
import type { Caller, OnInternalError, Pipeline } from '../../protocol/incoming.ts'
import { inOrder, type Result } from '../../protocol/order.ts'
import { failureOf, type Reply, type Settled, settledReply, unsettledReply } from '../../protocol/reply.ts'
import { isShort } from '../../wire/proofs/content.ts'
import { type Admitted, admit, peek, refusedBefore } from './admit.ts'
import { callerOf } from './authenticate.ts'
import { type Asked, callOf, type Request, receive } from './receive.ts'
import { type Acted, settle } from './settle.ts'

interface Received {
  readonly asked: Asked
  readonly request: Request
}

/** The way in which a received request is computed and admitted. */
type Ready =
  | { readonly by: 'settlement'; readonly cost: number; readonly outcome: JoinedResult | Failure }
  | { readonly by: 'admission'; readonly admitted: Admitted; readonly job: Job; readonly body: Buffer }
  | { readonly by: 'thread'; readonly body: Buffer }

const NOTHING_CHARGED = { charged: 0, replayed: false }

export const serveComputation = inOrder({
  async authenticate({ computation, incoming, pipeline }: Asked): Promise<Caller> {
    const caller = await callerOf(pipeline, incoming)
    if (!isForbidden(computation, caller)) return caller
    const call = callOf({ incoming, caller }, computation.leastCost)
    throw await refusedBefore(pipeline.meter, call, keyForbidden())
  },
  async receive(asked: Asked, caller: Caller): Promise<Received> {
    asked.incoming.replyRoom.take(caller.accountId)
    return { asked, request: await receive(asked, caller) }
  },
  async admit(received: Received) {
    return { received, ready: await readyOf(received) }
  },
  act({ ready, received }: { received: Received; ready: Ready }) {
    const acting = actedBy(received, ready)
    return acting instanceof Promise
      ? acting.then((acted) => ({ received, acted }))
      : { received, acted: acting }
  },
  async settle({ acted, received }: { received: Received; acted: Acted }) {
    return { received, settled: await settle(received.asked.pipeline.meter, acted) }
  },
  reply: ({ received, settled }: { received: Received; settled: Settled }): Reply =>
    settledReply(settled, received.asked.incoming.requestId, settled),
  refuse(error, { incoming, pipeline }: Asked, caller: Caller | null): Reply {
    const reply = unsettledReply(error, pipeline.onInternalError, incoming.requestId)
    if (!(error instanceof Refused)) return { ...reply, accountId: caller?.accountId ?? null }
    noteRefusal(pipeline.recentlyRefused, error)
    return { ...reply, charge: NOTHING_CHARGED }
  },
  end({ asked, request }: Received) {
    asked.incoming.replyRoom.afterwards(request.lease.release)
  },
})

/** Whether a team key may not call the operation; the calls of a batch are checked one by one when it is read. */
export const isForbidden = ({ operationPath }: Computation, { team }: Caller): boolean =>
  team !== null && team.paths !== null && operationPath !== null && !team.paths.has(operationPath)

/**
 * The cost of a job is known once its body is read. A small job is computed first and entered once; all others are admitted
 * before they are computed. A body over UNPAID.bytes is read only if the account can pay the least that it may cost.
 */
async function readyOf({ asked: { computation, pipeline }, request }: Received): Promise<Ready> {
  const { body, caller, idempotency, incoming, isPeeked } = request
  const { leastCost } = computation
  const { eventLoop, meter, onInternalError } = pipeline
  if (body instanceof Failure) return { by: 'settlement', cost: leastCost, outcome: body }
  // A first `peek` could not tell whether the idempotency key is bound to another body: the hash is known only now.
  const isKnown = isPeeked && idempotency === null
  if (body.length > UNPAID.bytes && !isKnown) await peek(pipeline, callOf(request, leastCost))
  if (body.length > computation.inlineBytes) return { by: 'thread', body }
  await eventLoop.waitForShare(caller.accountId)
  const { job, outcome } = eventLoop.run(
    caller.accountId,
    () => readUnpaid(computation, request, body),
    request.spent,
  )
  if (outcome === null)
    return { by: 'admission', admitted: await admit(meter, callOf(request, job.cost)), job, body }
  const known = reported(outcome, onInternalError, incoming.requestId)
  return { by: 'settlement', cost: job?.cost ?? leastCost, outcome: known }
}

/** Reads a body and, if it is short, runs its job. */
function readUnpaid(
  computation: Computation,
  { caller, wire }: Request,
  body: Buffer,
): { job: Job | null; outcome: JoinedResult | Failure } | { job: Job; outcome: null } {
  const job = computation.read(body, wire, caller.team?.paths)
  if (job instanceof Failure) return { job: null, outcome: job }
  return { job, outcome: job.micros > UNPAID.micros ? null : joinedResult(job.run()) }
}

function actedBy(received: Received, ready: Ready): Result<Acted> {
  const { request } = received
  const { startedAt } = request.incoming
  if (ready.by === 'thread') return readInThread(received, ready.body)
  if (ready.by === 'settlement')
    return { call: callOf(request, ready.cost), admission: null, outcome: ready.outcome, request, startedAt }
  const { admitted, body, job } = ready
  // An admitted call is settled, also if its computation throws.
  return compute(received, body, job)
    .catch((error) => error)
    .then((outcome) => actedOf(received, admitted, outcome))
}

async function compute(
  { asked: { computation, pipeline }, request }: Received,
  bytes: Buffer,
  { cost, micros, run }: Job,
): Promise<JoinedResult | Failure> {
  const { eventLoop, pool } = pipeline
  const { accountId } = request.caller
  if (micros > INLINE.micros) return await pool.run(poolTask(computation, request, bytes, cost))
  await eventLoop.waitForShare(accountId)
  return eventLoop.run(accountId, () => joinedResult(run()), request.spent)
}

/**
 * Computes a call with a large body: a thread reads it, requests admission of its cost, and computes. A call that is stopped
 * before its admission still counts in the account's windows.
 */
async function readInThread(received: Received, bytes: Buffer): Promise<Acted> {
  const { asked, request } = received
  const { computation, pipeline } = asked
  const task = poolTask(computation, request, bytes, null)
  const { admitted, outcome } = await pipeline.pool.runOnceAdmitted<Admitted>(task, (cost) =>
    admit(pipeline.meter, callOf(request, cost)),
  )
  const unadmitted = { call: callOf(request, computation.leastCost), admission: null }
  return await actedOf(received, admitted ?? unadmitted, outcome)
}

async function actedOf(
  { asked: { pipeline }, request }: Received,
  { admission, call }: Pick<Acted, 'admission' | 'call'>,
  outcome: JoinedResult | Error,
): Promise<Acted> {
  const { requestId, startedAt } = request.incoming
  const known = await withDigest(pipeline, request, outcome)
  return {
    call,
    admission,
    outcome: reported(outcome, pipeline.onInternalError, requestId),
    request: known,
    startedAt,
  }
}

/** Bytes that are hashed in one turn on the event loop. */
const STEP_BYTES = 128 * 1024

/** The request with the digest of its body: a body in shared memory is hashed by a thread or, if that failed, here. */
async function withDigest(
  { eventLoop }: Pipeline,
  request: Request,
  outcome: JoinedResult | Error,
): Promise<Request> {
  const { body, caller, digest, lease } = request
  if (digest !== null || body instanceof Failure || !lease.isShared()) return request
  if (!(outcome instanceof Error) && outcome.requestDigest !== undefined)
    return { ...request, digest: outcome.requestDigest }
  const whole = createHash('sha256')
  for (let at = 0; at < body.length; at += STEP_BYTES) {
    await eventLoop.waitForShare(caller.accountId)
    eventLoop.run(caller.accountId, () => whole.update(body.subarray(at, at + STEP_BYTES)))
  }
  return { ...request, digest: whole.digest('hex') }
}

/** Turns any error into a failure; one that stands for a bug is reported. */
const reported = (
  outcome: JoinedResult | Error,
  onInternalError: OnInternalError,
  requestId: string,
): JoinedResult | Failure =>
  outcome instanceof Error ? failureOf(outcome, onInternalError, requestId) : outcome

const poolTask = (
  { costs, path }: Computation,
  { caller, incoming, lease, spent, wire }: Request,
  bytes: Buffer,
  cost: number | null,
): PoolTask => ({
  path,
  costs,
  wire,
  caller,
  cost,
  // The thread takes over the memory of the body. A short body is copied, because the settlement hashes it.
  bytes: isShort(bytes.length) ? Buffer.from(bytes) : bytes,
  allowed: caller.team?.paths ?? null,
  refusal: incoming.replyRoom.refusal,
  onStopped: lease.abandon,
  onUsed(processorMs) {
    spent.ms += processorMs
  },
})
