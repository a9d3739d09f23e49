/** Step 6: the reply with its headers. */
import { ARROW_STREAM } from '../body/media-type.ts'
import type { Body } from '../compute/envelope.ts'
import type { Encoding } from '../compute/wire.ts'
import { Failure, type FailureCode, failures, internal } from '../errors.ts'
import { windowMs } from '../ledger/tiers.ts'
import type { Standing } from '../ledger/types.ts'
import { unavailable } from '../metering/meter.ts'
import { Refused } from '../metering/refused.ts'
import { NotCommitted, OutcomeUnknown } from '../store/store.ts'
import type { OnInternalError } from './incoming.ts'
import type { Settled } from './settle.ts'

export interface Reply {
  readonly status: number
  /** Names and values alternating, as they are written. */
  readonly headers: string[]
  readonly body: Body
  readonly requestId: string
  /** Of a failure. */
  readonly code: FailureCode | null
  /** Account of the key that was sent; null if there was none, or it is not known. */
  accountId: number | null
  /** Credits. */
  charged: number
  replayed: boolean
}

/** The part of a reply that is not sent, of one that belongs to no account. */
export const unbilled = (requestId: string, code: FailureCode | null = null) => ({
  requestId,
  code,
  accountId: null,
  charged: 0,
  replayed: false,
})

const JSON_TYPE = 'application/json; charset=utf-8'

/** The reply to a call that was settled. */
export function settledReply({ accountId, outcome, standing }: Settled, requestId: string): Reply {
  const reply =
    outcome instanceof Failure
      ? failed(outcome, requestId)
      : success(outcome.body, requestId, outcome.encoding)
  reply.accountId = accountId
  return withStanding(reply, standing)
}

/** The reply to a request that was not settled. */
export function unsettledReply(error: unknown, onInternalError: OnInternalError, requestId: string): Reply {
  if (!(error instanceof Refused)) return failed(failureOf(error, onInternalError, requestId), requestId)
  const reply = failed(error.failure, requestId)
  reply.accountId = error.accountId
  return error.standing === null ? reply : withStanding(reply, error.standing)
}

/** Any error as a failure; one that stands for a bug is reported. */
export function failureOf(error: unknown, onInternalError: OnInternalError, requestId: string): Failure {
  if (error instanceof NotCommitted || error instanceof OutcomeUnknown) return unavailable(error)
  const failure = error instanceof Failure ? error : internal(error)
  reportBug(failure, onInternalError, requestId)
  return failure
}

export function reportBug(failure: Failure, onInternalError: OnInternalError, requestId: string): void {
  if (failure.code === 'internal') onInternalError(failure.cause, requestId)
}

/** @param body JSON in its envelope, or an Arrow stream */
export const success = (body: Body, requestId: string, encoding: Encoding = 'json'): Reply => ({
  status: 200,
  headers: headersFor(requestId, encoding === 'json' ? JSON_TYPE : ARROW_STREAM),
  body,
  ...unbilled(requestId),
})

export function failed(failure: Failure, requestId: string): Reply {
  const { code, details, message, retryAfterSeconds } = failure
  const headers = headersFor(requestId)
  if (retryAfterSeconds !== undefined) headers.push('retry-after', String(retryAfterSeconds))
  const error = { code, request_id: requestId, ...(details.length > 0 && { details }) }
  return {
    status: failures[code].status,
    headers,
    body: JSON.stringify({ success: false, message, error }),
    ...unbilled(requestId, code),
  }
}

/** Replies hold keys and results: no cache may keep them. */
const headersFor = (requestId: string, type = JSON_TYPE): string[] => [
  'content-type',
  type,
  'cache-control',
  'no-store',
  'x-request-id',
  requestId,
]

/** Adds the account's standing: the draft RateLimit headers, the older X-RateLimit ones, the credits. */
function withStanding(reply: Reply, standing: Standing): Reply {
  const { headers } = reply
  const { credits, now, windows } = standing
  headers.push('x-credits-remaining', String(credits))
  if (windows.length === 0) return reply
  let policies = ''
  let states = ''
  let nearest = windows[0]!
  for (const window of windows) {
    const { limit, name, remaining, resetAt } = window
    const separator = policies === '' ? '' : ', '
    policies += `${separator}"${name}";q=${limit};w=${windowMs[name] / 1_000}`
    states += `${separator}"${name}";r=${remaining};t=${Math.ceil((resetAt - now) / 1_000)}`
    if (remaining < nearest.remaining) nearest = window
  }
  headers.push('ratelimit-policy', policies, 'ratelimit', states)
  headers.push('x-ratelimit-limit', String(nearest.limit))
  headers.push('x-ratelimit-remaining', String(nearest.remaining))
  headers.push('x-ratelimit-reset', String(Math.ceil(nearest.resetAt / 1_000)))
  return reply
}

/** Adds the charge for a computation. */
export function withCharge(
  reply: Reply,
  { charged, replayed }: Pick<Settled, 'charged' | 'replayed'>,
): Reply {
  reply.charged = charged
  reply.replayed = replayed
  reply.headers.push('x-credits-cost', String(charged))
  if (replayed) reply.headers.push('idempotent-replayed', 'true')
  return reply
}
