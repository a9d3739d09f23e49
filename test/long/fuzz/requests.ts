/** Planned requests: their bytes, and the statuses that their replies may have. */

import odd from '../../support/odd.json' with { type: 'json' }
import type { Dice } from './dice.ts'
import type { Endpoint } from './document.ts'

export interface PlannedRequest {
  /** Groups the requests in the summary. */
  readonly kind: string
  readonly endpoint: Endpoint | null
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
  /** The expected statuses; null: any that the endpoint documents. */
  readonly statuses: readonly number[] | null
}

/** The X-Request-Id that the reply must repeat; null: the service generates one. */
export function echoedId({ headers }: Pick<PlannedRequest, 'headers'>): string | null {
  const given = headers
    .filter(([name]) => name.toLowerCase() === 'x-request-id')
    .map(([, value]) => value.trim())
  // Node joins repeated headers by a comma, which the service does not accept in an id.
  return given.length === 1 && /^[A-Za-z0-9._-]{1,128}$/.test(given[0]) ? given[0] : null
}

export function bytesOf({ body, headers, method, target }: PlannedRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  const isSized = headers.some(([name]) => /^(content-length|transfer-encoding)$/i.test(name))
  const length = body === null || isSized ? '' : `Content-Length: ${body.length}\r\n`
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\nHost: quantd\r\n${lines}${length}\r\n`, 'latin1')
  return body === null ? head : Buffer.concat([head, body])
}

const REQUEST_IDS = [...odd.requestIds, 'x'.repeat(128), 'x'.repeat(129)]
const IDEMPOTENCY_KEYS = [...odd.idempotencyKeys, 'k'.repeat(255), 'k'.repeat(256)]
const OTHERS = [...odd.headers, ['X-Large', 'v'.repeat(3_000)]] as [string, string][]

/** Adds, replaces or repeats a header. Most such changes allow any documented status. */
export function withUnusualHeader(planned: PlannedRequest, dice: Dice): PlannedRequest {
  const replaced = (name: string, value: string): PlannedRequest => ({
    ...planned,
    statuses: null,
    headers: [
      ...planned.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase()),
      [name, value],
    ],
  })
  return dice.weighted<() => PlannedRequest>([
    [2, () => ({ ...replaced('X-Request-Id', dice.pick(REQUEST_IDS)), statuses: planned.statuses })],
    [2, () => replaced('Content-Type', dice.pick(odd.contentTypes))],
    [1, () => replaced('Content-Encoding', dice.pick(odd.encodings))],
    [2, () => replaced('Idempotency-Key', dice.pick(IDEMPOTENCY_KEYS))],
    [
      1,
      () => ({
        ...planned,
        statuses: null,
        headers: planned.headers.filter(([name]) => !/^content-type$/i.test(name)),
      }),
    ],
    [1, () => ({ ...planned, statuses: null, headers: [...planned.headers, dice.pick(planned.headers)] })],
    [3, () => ({ ...planned, statuses: null, headers: [...planned.headers, dice.pick(OTHERS)] })],
    [
      1,
      () => ({
        ...planned,
        headers: planned.headers.map(([name, value]) => [otherCase(name, dice), value] as const),
      }),
    ],
  ])()
}

const otherCase = (name: string, dice: Dice) => (dice.oneIn(2) ? name.toUpperCase() : name.toLowerCase())

const QUERY_VALUES = [...odd.queryValues, 'a'.repeat(500)]

/** A query string: the endpoint's parameters with arbitrary values, or malformed text. */
export function unusualQuery(endpoint: Endpoint, dice: Dice): string {
  if (endpoint.query.length === 0 || dice.oneIn(4)) return dice.pick(odd.queries)
  return `?${endpoint.query.map(({ name }) => `${name}=${dice.pick(QUERY_VALUES)}`).join('&')}`
}
