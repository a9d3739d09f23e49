/** Planned requests: their bytes, and the statuses that their replies may have. */
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

const REQUEST_IDS = [
  '',
  ' ',
  'a b',
  'a,b',
  'x'.repeat(128),
  'x'.repeat(129),
  '\xe9',
  '../../etc',
  '<b>',
  '{}',
  'null',
]
const CONTENT_TYPES = [
  ...[
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'APPLICATION/JSON',
    ' application/json ',
  ],
  ...[
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'text/plain',
    'text/json',
    '',
    'x',
    '*/*',
  ],
  ...[
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json,',
  ],
  ...[
    'application/json; boundary=json',
    'application/vnd.apache.arrow.stream',
    ';charset=utf-8',
    'application/xml',
  ],
]
const ENCODINGS = ['gzip', 'deflate', 'br', 'identity', 'IDENTITY', 'gzip, identity', 'zstd', 'x', '']
const IDEMPOTENCY_KEYS = [
  '',
  ' ',
  'a b',
  'k'.repeat(255),
  'k'.repeat(256),
  '\xe9',
  '\t',
  '"quoted"',
  "' or 1=1--",
  '{}',
]
const OTHERS: readonly (readonly [string, string])[] = [
  ...([
    ['X-Forwarded-For', '10.0.0.1, ::1, x'],
    ['Forwarded', 'for="[::1]:1"'],
    ['X-HTTP-Method-Override', 'DELETE'],
    ['Accept', 'text/html'],
    ['Accept', 'application/vnd.apache.arrow.file, image/*;q=0'],
    ['Accept-Encoding', 'gzip;q=0, *;q=1'],
    ['Origin', 'https://evil.example'],
    ['Cookie', 'a=b; __proto__=c'],
    ['Authorization', 'Basic YTpi'],
    ['Range', 'bytes=0-1'],
    ['If-None-Match', '*'],
    ['Expect', 'nothing'],
    ['__proto__', 'x'],
    ['constructor', 'x'],
    ['X-Large', 'v'.repeat(3_000)],
    ['Connection', 'close'],
    ['TE', 'trailers'],
    ['Content-Type', 'text/plain'],
  ] as const),
]

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
    [2, () => replaced('Content-Type', dice.pick(CONTENT_TYPES))],
    [1, () => replaced('Content-Encoding', dice.pick(ENCODINGS))],
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

const QUERY_VALUES = [
  '',
  '0',
  '1',
  '50',
  '1000',
  '1001',
  '-1',
  '1.5',
  '1e2',
  '+7',
  'NaN',
  'x',
  '%00',
  '%ff',
  '%zz',
  '[]',
  'a'.repeat(500),
]
const QUERIES = [
  '?',
  '??',
  '?&',
  '?=',
  '?limit',
  '?__proto__=1',
  '?a=1&a=2',
  '?x[y]=1',
  '?%',
  '?limit=1&limit=2',
  '?#',
  '?constructor=1',
]

/** A query string: the endpoint's parameters with arbitrary values, or malformed text. */
export function unusualQuery(endpoint: Endpoint, dice: Dice): string {
  if (endpoint.query.length === 0 || dice.oneIn(4)) return dice.pick(QUERIES)
  return `?${endpoint.query.map(({ name }) => `${name}=${dice.pick(QUERY_VALUES)}`).join('&')}`
}
