/** A reply of the pipeline as HTTP sends it: status, headers and body; and the headers by which browsers limit what it may do. */

import { Failure, type FailureCode } from '../../base/failure.ts'
import { ARROW_STREAM } from '../../compute/body/media-type.ts'
import type { Body } from '../../compute/result.ts'
import { windowMs } from '../../ledger/rules/tiers.ts'
import type { Standing } from '../../ledger/rules/types.ts'
import { type Charge, failedReply, type Reply } from '../../protocol/reply.ts'

export interface PrintedReply {
  readonly status: number
  /** Names and values alternating, as they are written. */
  readonly headers: string[]
  readonly body: Body
  readonly requestId: string
  /** The code of a failure; null: a success. */
  readonly code: FailureCode | null
  /** Account of the key that was sent; null: there was no key, or it is unknown. */
  readonly accountId: number | null
  /** The credits charged. */
  readonly charged: number
  readonly replayed: boolean
}

/** The fields of a reply that are not sent, where it belongs to no account. */
export const unbilled = (requestId: string) => ({
  requestId,
  code: null,
  accountId: null,
  charged: 0,
  replayed: false,
})

/** The pieces of a reply of up to this size are joined, so that it is sent in one write. */
const SMALL_BYTES = 64 * 1024
const HEAD = '{"success":true,"data":'
const HEAD_BYTES = Buffer.from(HEAD)
/** RFC 9110, section 11.6.1: every 401 names a scheme by which the client may authenticate. */
const CHALLENGE = 'Bearer realm="quantd"'
const JSON_UTF8 = 'application/json; charset=utf-8'
export const JSON_TYPE = ['content-type', JSON_UTF8]
const TYPES = {
  json: JSON_UTF8,
  arrow: ARROW_STREAM,
  csv: 'text/csv; charset=utf-8',
}

/** Prints a reply; one that is printed already, such as a page, is returned unchanged. */
export function printed(reply: Reply | PrintedReply): PrintedReply {
  if (!('outcome' in reply)) return reply
  const { accountId, charge, headers, outcome, requestId, standing } = reply
  const isFailure = outcome instanceof Failure
  const isJson = isFailure || outcome.encoding === 'json'
  // Replies hold keys and results: no cache may keep them.
  const head = [
    'content-type',
    TYPES[isFailure ? 'json' : outcome.encoding],
    'cache-control',
    'no-store',
    'x-request-id',
    requestId,
  ]
  if (isFailure && outcome.retryAfterSeconds !== undefined)
    head.push('retry-after', String(outcome.retryAfterSeconds))
  if (isFailure && (outcome.status === 401 || outcome.challenge !== null))
    head.push('www-authenticate', challengeOf(outcome))
  if (standing !== null) addStanding(head, standing)
  if (charge !== null) addCharge(head, charge)
  head.push(...headers)
  return {
    status: isFailure ? outcome.status : 200,
    headers: head,
    body: isFailure
      ? failureText(outcome, requestId)
      : isJson
        ? enveloped(outcome.body, reply)
        : outcome.body,
    requestId,
    code: isFailure ? outcome.code : null,
    accountId,
    charged: charge?.charged ?? 0,
    replayed: charge?.replayed ?? false,
  }
}

/** The reply to a request that belongs to no account. */
export const failed = (failure: Failure, requestId: string): PrintedReply =>
  printed(failedReply(failure, requestId))

/** Which error it was is said of access tokens only (RFC 6750, section 3.1): other clients can do nothing about it. */
const challengeOf = ({ challenge }: Failure): string =>
  challenge === null
    ? CHALLENGE
    : `${CHALLENGE}, error="${challenge.error}", error_description="${challenge.description}"`

/** The envelope that the specification puts around data. @param data JSON, as text or as UTF-8 */
function enveloped(data: Body, { message, undo }: Pick<Reply, 'message' | 'undo'>): Body {
  const beside = { ...(message !== null && { message }), ...(undo && { undo }) }
  const tail = message === null ? '}' : `,${JSON.stringify(beside).slice(1)}`
  if (typeof data === 'string') return `${HEAD}${data}${tail}`
  const pieces = [HEAD_BYTES, ...[data].flat(), Buffer.from(tail)]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length > SMALL_BYTES ? pieces : Buffer.concat(pieces, length)
}

function failureText({ code, details, message, numbers }: Failure, requestId: string): string {
  const error = { code, request_id: requestId, ...(details.length > 0 && { details }), ...numbers }
  return JSON.stringify({ success: false, message, error })
}

/** Adds the account's standing: the draft RateLimit headers, the older X-RateLimit ones, the credits. */
function addStanding(headers: string[], { credits, now, windows }: Standing): void {
  headers.push('x-credits-remaining', String(credits))
  if (windows.length === 0) return
  let policies = ''
  let states = ''
  let nearest = windows[0]
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
}

function addCharge(headers: string[], { charged, replayed }: Charge): void {
  headers.push('x-credits-cost', String(charged))
  if (replayed) headers.push('idempotent-replayed', 'true')
}

const FOR_ALL = ['x-content-type-options', 'nosniff', 'referrer-policy', 'no-referrer']

/** JSON loads nothing, and no page may frame it. */
export const JSON_SECURITY: readonly string[] = [
  ...FOR_ALL,
  'content-security-policy',
  "default-src 'none'; frame-ancestors 'none'",
]

/** Pages load nothing from other origins and no plug-ins, and no page may frame them. */
export const PAGE_SECURITY: readonly string[] = [
  ...FOR_ALL,
  'content-security-policy',
  [
    "default-src 'self'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; '),
]
