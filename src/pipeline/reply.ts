/** Step 6: the envelope and its headers. */
import { type Failure, failures } from '../errors.ts'
import { windowMs } from '../ledger/tiers.ts'
import type { Standing } from '../ledger/types.ts'
import type { Settled } from './settle.ts'

export interface Reply {
  readonly status: number
  /** Names and values in turn, as they are written. */
  readonly headers: string[]
  readonly body: string | Uint8Array
}

/** The reply to a request, before it is known: its share in the budget of replies that are not taken yet. */
export interface OutgoingReply {
  /** Throws Failure `overloaded` where replies that nobody takes leave no room for another one to this account. */
  admit(accountId: number): void
  /** Runs `release` when the reply was taken in full or its connection has ended. */
  afterwards(release: () => void): void
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The envelope of a success. @param data the result as JSON text */
export const envelope = (data: string, message?: string): string =>
  `{"success":true,"data":${data}${message === undefined ? '' : `,"message":${JSON.stringify(message)}`}}`

/** @param body already in its envelope: megabytes of it are put together in a worker */
export const success = (body: string | Uint8Array, requestId: string): Reply => ({
  status: 200,
  headers: headersFor(requestId),
  body,
})

/** Replies hold keys and results: no cache may keep them. */
const headersFor = (requestId: string): string[] => [
  'content-type',
  JSON_TYPE,
  'cache-control',
  'no-store',
  'x-request-id',
  requestId,
]

export function failed(failure: Failure, requestId: string): Reply {
  const { code, details, message, retryAfterSeconds } = failure
  const headers = headersFor(requestId)
  if (retryAfterSeconds !== undefined) headers.push('retry-after', String(retryAfterSeconds))
  const error = { code, request_id: requestId, ...(details.length > 0 && { details }) }
  return {
    status: failures[code].status,
    headers,
    body: JSON.stringify({ success: false, message, error }),
  }
}

/** Adds where the account stands: the draft RateLimit headers, the older X-RateLimit ones, the credits. */
export function withStanding(reply: Reply, standing: Standing): Reply {
  const { headers } = reply
  const { credits, now, windows } = standing
  headers.push('x-credits-remaining', String(credits))
  if (windows.length === 0) return reply
  const seconds = (until: number) => Math.ceil((until - now) / 1_000)
  const policies = windows.map(({ name, limit }) => `"${name}";q=${limit};w=${windowMs[name] / 1_000}`)
  const states = windows.map(
    ({ name, remaining, resetAt }) => `"${name}";r=${remaining};t=${seconds(resetAt)}`,
  )
  headers.push('ratelimit-policy', policies.join(', '), 'ratelimit', states.join(', '))
  const nearest = windows.reduce((a, b) => (b.remaining < a.remaining ? b : a))
  headers.push('x-ratelimit-limit', String(nearest.limit))
  headers.push('x-ratelimit-remaining', String(nearest.remaining))
  headers.push('x-ratelimit-reset', String(Math.ceil(nearest.resetAt / 1_000)))
  return reply
}

/** Adds what a computation was charged. */
export function withCharge(reply: Reply, settled: Pick<Settled, 'charged' | 'replayed'>): Reply {
  reply.headers.push('x-credits-cost', String(settled.charged))
  if (settled.replayed) reply.headers.push('idempotent-replayed', 'true')
  return reply
}
