/** The checks of every reply: documented status and schema, envelope, headers, no leaked internals. */
import type { ApiDocument } from './document.ts'
import type { PlannedRequest } from './requests.ts'
import type { Reply } from './wire.ts'

/** Part of every password that a run sends; no reply may contain it. */
export const PASSWORD_MARK = 'unutterable'

/** Failure codes of requests that reach no endpoint, by status. */
const UNROUTED: Readonly<Record<number, readonly string[]>> = {
  400: ['invalid_json'],
  404: ['route_not_found'],
  405: ['method_not_allowed'],
  408: ['request_timeout'],
  431: ['headers_too_large'],
}

const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const API_KEY = /qd_(user|guest)_[A-Za-z0-9]{43}/

/** Text that shows internals of the service: stack traces, SQL, paths, native error messages. */
const LEAKS: readonly RegExp[] = [
  /\bat (async )?[\w.<>]+ ?\(?[^\s]*:\d+:\d+\)?/,
  /node:internal|node_modules|\.ts:\d+|\.js:\d+/,
  /\b(SELECT\s.+\sFROM|INSERT INTO|UPDATE\s.+\sSET|DELETE FROM|SQLITE_[A-Z]+|SqliteError|PostgresError)\b/i,
  /violates|duplicate key value|relation "|syntax error at or near/,
  /(^|[\s"'(])\/(tmp|home|root|work|usr|etc|var|proc)\/[\w.-]+/,
  /[A-Z]:\\\\/,
  /\$argon2|\$scrypt|BEGIN [A-Z ]*PRIVATE KEY/,
  /TypeError|RangeError|ReferenceError|is not a function|Cannot read propert|undefined is not/,
]

export interface Judged {
  readonly faults: readonly string[]
  /** The parsed body; null if it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: replies may have any shape
  readonly body: any
}

/** @param sent the request as text; a reply may repeat parts of it */
export function judge(
  document: ApiDocument,
  planned: Pick<PlannedRequest, 'endpoint' | 'method' | 'statuses'> & { readonly id: string | null },
  sent: string,
  reply: Reply,
): Judged {
  const { body: bytes, headers, status } = reply
  const faults: string[] = []
  if (status === 0) faults.push('the status line is malformed')
  if (reply.repeated.length > 0) faults.push(`repeated headers: ${reply.repeated}`)
  if (status >= 500 && status !== 503) faults.push(`status ${status}`)
  const { endpoint } = planned
  const allowed = planned.statuses ?? endpoint?.statuses ?? []
  const isBusy = status === 503 && endpoint?.statuses.includes(503)
  if (!allowed.includes(status) && !isBusy) faults.push(`status ${status}; expected ${allowed.join(', ')}`)
  if (endpoint !== null && !endpoint.statuses.includes(status) && status !== 431)
    faults.push(`status ${status} is not documented for ${endpoint.path}`)
  const requestId = headers.get('x-request-id')
  if (requestId === undefined) faults.push('no X-Request-Id')
  else if (planned.id !== null && requestId !== planned.id)
    faults.push(`X-Request-Id ${requestId} for ${planned.id}`)
  else if (planned.id === null && !UUID_7.test(requestId))
    faults.push(`X-Request-Id ${requestId} is not a UUID of version 7`)
  if (planned.method === 'HEAD' || status === 304) return { faults, body: null }
  if (headers.get('content-length') !== String(bytes.length)) faults.push('no Content-Length')
  if (headers.get('content-type') !== 'application/json; charset=utf-8') {
    if (endpoint !== null || status >= 400) faults.push(`content type ${headers.get('content-type')}`)
    return { faults, body: null }
  }
  const text = bytes.toString('utf8')
  const body = parsed(text)
  if (body === undefined) return { faults: [...faults, 'the body is not JSON'], body: null }
  faults.push(...bodyFaults(document, planned, reply, body, requestId))
  faults.push(...leaksIn(text, sent, status))
  return { faults, body }
}

function bodyFaults(
  document: ApiDocument,
  { endpoint }: Pick<PlannedRequest, 'endpoint'>,
  { headers, status }: Reply,
  // biome-ignore lint/suspicious/noExplicitAny: replies may have any shape
  body: any,
  requestId: string | undefined,
): string[] {
  const faults: string[] = []
  const isOwn = endpoint?.statuses.includes(status) === true
  const fault = isOwn
    ? (endpoint.bodyFault(status, body) ?? endpoint.headerFault(status, headers))
    : status >= 400
      ? document.failureFault(body)
      : null
  if (fault !== null) faults.push(`the reply of status ${status} does not fit its schema: ${fault}`)
  if (status >= 400) {
    const codes = isOwn ? undefined : UNROUTED[status]
    if (codes !== undefined && !codes.includes(body.error?.code))
      faults.push(`code ${body.error?.code} for status ${status}`)
    if (body.error?.request_id !== requestId) faults.push('error.request_id is not X-Request-Id')
    if (body.message?.length > 600) faults.push(`the message has ${body.message.length} characters`)
    if ((body.error?.details ?? []).length > 20) faults.push('more than 20 details')
  }
  if ((endpoint !== null || status >= 400) && headers.get('cache-control') !== 'no-store')
    faults.push('the reply may be cached')
  if ((status === 429 || status === 503) && !/^[1-9]\d*$/.test(headers.get('retry-after') ?? ''))
    faults.push(`Retry-After: ${headers.get('retry-after')}`)
  if (status === 503 && endpoint !== null && body.error?.code === 'unavailable') faults.push('unavailable')
  if (status === 405 && !headers.has('allow')) faults.push('405 without Allow')
  if (status === 200 && endpoint?.isComputation) {
    for (const name of [
      'x-credits-cost',
      'x-credits-remaining',
      'ratelimit',
      'ratelimit-policy',
      'x-ratelimit-reset',
    ])
      if (!headers.has(name)) faults.push(`no ${name}`)
    if (!hasFiniteNumbers(endpoint.isColumns ? answeredRows(body.data) : body.data))
      faults.push('the result contains null or a number that is not finite')
  }
  return faults
}

function leaksIn(text: string, sent: string, status: number): string[] {
  const faults: string[] = []
  if (text.includes(PASSWORD_MARK)) faults.push('the reply contains a password')
  if (status < 400) return faults
  if (API_KEY.test(text)) faults.push('the failure contains an API key')
  for (const pattern of LEAKS) {
    const found = pattern.exec(text)
    if (found !== null && !sent.includes(found[0].trim()))
      faults.push(`the failure shows internals: ${found[0]}`)
  }
  return faults
}

/** The columns without the rows that failed, which hold null. */
function answeredRows({ columns, errors }: { columns: object; errors: { row: number }[] }): unknown {
  const failed = new Set(errors.map(({ row }) => row))
  return Object.values(columns).map((column: unknown[]) =>
    column.filter((value, row) => !failed.has(row) || value !== null),
  )
}

/** Whether the value contains no null and only finite numbers. */
function hasFiniteNumbers(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(hasFiniteNumbers)
  if (value !== null && typeof value === 'object') return Object.values(value).every(hasFiniteNumbers)
  return value !== null && (typeof value !== 'number' || Number.isFinite(value))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
