/** The steps of one computation request: authenticate → receive → admit → compute → settle → reply. */
import { createHash } from 'node:crypto'
import { keyForbidden } from '../../base/errors/requests.ts'
import { Failure } from '../../base/failure.ts'
import { INLINE, UNPAID } from '../../base/limits/callers.ts'
import type { Computation, Job } from '../../compute/computation.ts'
import { type JoinedResult, joinedResult } from '../../compute/result.ts'
import type { PoolTask } from '../../compute/threads/pool.ts'
import type { Meter } from '../../ledger/metering/meter.ts'
import { noteRefusal, precedingRefusal, Refused } from '../../ledger/metering/refused.ts'
import type { Caller, Incoming, OnInternalError, Pipeline } from '../../protocol/incoming.ts'
import { failureOf, type Reply, type Settled, settledReply, unsettledReply } from '../../protocol/reply.ts'
import { isShort } from '../../wire/proofs/content.ts'
import { type Admitted, admit, peek, refusedBefore } from './admit.ts'
import { callerOf } from './authenticate.ts'
import { callOf, type Request, receive } from './receive.ts'
import { admitAndSettle, settle } from './settle.ts'

const NOTHING_CHARGED = { charged: 0, replayed: false }

export async function serveComputation(
  pipeline: Pipeline,
  incoming: Incoming,
  computation: Computation,
): Promise<Reply> {
  const lease = pipeline.receiver.lease()
  let caller: Caller | null = null
  try {
    caller = await callerOf(pipeline, incoming)
    if (isForbidden(computation, caller)) throw await forbidden(pipeline.meter, computation, caller, incoming)
    incoming.outgoing.admit(caller.accountId)
    const request = await receive(pipeline, computation, lease, incoming, caller)
    const settled = await answer(pipeline, computation, request)
    return settledReply(settled, incoming.requestId, settled)
  } catch (error) {
    const reply = unsettledReply(error, pipeline.onInternalError, incoming.requestId)
    if (!(error instanceof Refused)) return { ...reply, accountId: caller?.accountId ?? null }
    noteRefusal(pipeline.recentlyRefused, error)
    return { ...reply, charge: NOTHING_CHARGED }
  } finally {
    incoming.outgoing.afterwards(() => lease.release())
  }
}

/** Whether a team key may not call the operation; the calls of a batch are checked one by one when it is read. */
export const isForbidden = ({ operationPath }: Computation, { team }: Caller): boolean =>
  team !== null && team.paths !== null && operationPath !== null && !team.paths.has(operationPath)

const forbidden = (meter: Meter, { leastCost }: Computation, caller: Caller, incoming: Incoming) =>
  refusedBefore(meter, callOf({ incoming, caller }, leastCost), keyForbidden())

/**
 * The cost of a job is known once its body is read. A small job is computed first and entered once; all others are admitted
 * before they are computed. A body over UNPAID.bytes is read only if the account can pay the least that it may cost.
 */
async function answer(pipeline: Pipeline, computation: Computation, request: Request): Promise<Settled> {
  const { body, caller, idempotency, incoming, isPeeked } = request
  const { leastCost } = computation
  const { eventLoop, meter, onInternalError } = pipeline
  if (body instanceof Failure) return await settleAtOnce(meter, request, leastCost, body)
  // A first `peek` could not tell whether the idempotency key is bound to another body: the hash is known only now.
  const isKnown = isPeeked && idempotency === null
  if (body.length > UNPAID.bytes && !isKnown) await peek(pipeline, callOf(request, leastCost))
  if (body.length > INLINE.bytes) return await readInThread(pipeline, computation, request, body)
  await eventLoop.waitForShare(caller.accountId)
  const { job, outcome } = eventLoop.run(
    caller.accountId,
    () => readUnpaid(computation, request, body),
    request.spent,
  )
  if (outcome === null) return await admitThenSettle(pipeline, computation, request, body, job)
  const known = reported(outcome, onInternalError, incoming.requestId)
  return await settleAtOnce(meter, request, job?.cost ?? leastCost, known)
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

/** Admits and settles a call that is computed already, in one transaction; its result is withheld until it is paid. */
async function settleAtOnce(
  meter: Meter,
  request: Request,
  cost: number,
  outcome: JoinedResult | Failure,
): Promise<Settled> {
  try {
    return await admitAndSettle(meter, callOf(request, cost), outcome, request.incoming.startedAt, request)
  } catch (error) {
    const hasTwoFailures = error instanceof Refused && outcome instanceof Failure
    throw hasTwoFailures ? precedingRefusal(error, outcome) : error
  }
}

async function admitThenSettle(
  pipeline: Pipeline,
  computation: Computation,
  request: Request,
  body: Buffer,
  job: Job,
): Promise<Settled> {
  const { meter, onInternalError } = pipeline
  const { requestId, startedAt } = request.incoming
  const admitted = await admit(meter, callOf(request, job.cost))
  // An admitted call is settled, also if its computation throws.
  const outcome = await compute(pipeline, computation, request, body, job).catch((error) => error)
  const known = await withDigest(pipeline, request, outcome)
  return await settle(meter, admitted, reported(outcome, onInternalError, requestId), startedAt, known)
}

async function compute(
  { eventLoop, pool }: Pipeline,
  computation: Computation,
  request: Request,
  bytes: Buffer,
  { cost, micros, run }: Job,
): Promise<JoinedResult | Failure> {
  const { accountId } = request.caller
  if (micros > INLINE.micros) return await pool.run(poolTask(computation, request, bytes, cost))
  await eventLoop.waitForShare(accountId)
  return eventLoop.run(accountId, () => joinedResult(run()), request.spent)
}

/**
 * Answers a call with a large body: a thread reads it, requests admission of its cost, and computes. A call that is stopped
 * before its admission still counts in the account's windows.
 */
async function readInThread(
  pipeline: Pipeline,
  computation: Computation,
  request: Request,
  bytes: Buffer,
): Promise<Settled> {
  const { meter, onInternalError, pool } = pipeline
  const { requestId, startedAt } = request.incoming
  const task = poolTask(computation, request, bytes, null)
  const run = await pool.runOnceAdmitted<Admitted>(task, (cost) => admit(meter, callOf(request, cost)))
  const outcome = reported(run.outcome, onInternalError, requestId)
  const known = await withDigest(pipeline, request, run.outcome)
  return run.admitted === null
    ? await settleAtOnce(meter, known, computation.leastCost, outcome)
    : await settle(meter, run.admitted, outcome, startedAt, known)
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
  refusal: () => incoming.outgoing.refusal(),
  onStopped: lease.abandon,
  onUsed(processorMs) {
    spent.ms += processorMs
  },
})
