/** The headers that requests and replies carry, as OpenAPI describes them. */
const text = { type: 'string' }
const nonNegativeInteger = { type: 'integer', minimum: 0 }

/** Reply headers. */
export const replyHeaders = {
  'X-Request-Id': {
    description:
      'Identifies the request in logs and audit: the X-Request-Id of the request if it has 1 to 128 characters of A-Z a-z 0-9 . _ -, otherwise a new UUID.',
    schema: text,
    example: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
  },
  'RateLimit-Policy': {
    description: 'The rate-limit windows of the key: quota q and length w in seconds.',
    schema: text,
    example: '"hour";q=60;w=3600, "day";q=50;w=86400',
  },
  RateLimit: {
    description: 'Each window: r remaining requests, t seconds until it ends.',
    schema: text,
    example: '"hour";r=59;t=3600, "day";r=49;t=86400',
  },
  'X-RateLimit-Limit': {
    description: 'Quota of the window that is nearest to its limit.',
    schema: nonNegativeInteger,
    example: 50,
  },
  'X-RateLimit-Remaining': {
    description: 'Requests remaining in that window.',
    schema: nonNegativeInteger,
    example: 49,
  },
  'X-RateLimit-Reset': {
    description: 'End of that window, as a Unix timestamp in seconds.',
    schema: nonNegativeInteger,
    example: 1767355200,
  },
  'X-Credits-Remaining': {
    description: 'Balance after this request.',
    schema: { type: 'number' },
    example: 49,
  },
  'X-Credits-Cost': {
    description: 'Credits charged for this request; 0 on a replay.',
    schema: { type: 'number' },
    example: 1,
  },
  'Idempotent-Replayed': {
    description:
      'Present if the result of an earlier request with the same Idempotency-Key is returned again without a charge.',
    schema: { type: 'string', enum: ['true'] },
  },
  'X-Replica-Lag': {
    description:
      'Present if a read replica has answered: the data is at most this many seconds older than the database.',
    schema: { type: 'number', minimum: 0 },
    example: 0.412,
  },
  'WWW-Authenticate': {
    description:
      'The scheme by which a key may be sent besides X-API-Key. Where the service takes access tokens of a provider, `resource_metadata` names the address that leads to it (RFC 9728).',
    schema: text,
    example: 'Bearer realm="quantd"',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next attempt.',
    schema: nonNegativeInteger,
    example: 30,
  },
} as const

type ReplyHeader = keyof typeof replyHeaders

const STANDING = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Credits-Remaining',
] as const

/** The replies of an endpoint: `keyed` where the request needs a key, `mayLag` where a replica may answer. */
interface Answered {
  readonly keyed: boolean
  readonly computation: boolean
  readonly mayLag?: boolean | undefined
}

/** The headers of a success. */
export function successHeaders({ computation, keyed, mayLag = false }: Answered): ReplyHeader[] {
  return [
    'X-Request-Id',
    ...(keyed ? STANDING : []),
    ...(computation ? (['X-Credits-Cost', 'Idempotent-Replayed'] as const) : []),
    ...(mayLag ? (['X-Replica-Lag'] as const) : []),
  ]
}

/** The headers of a failure; if the key is known, they include its standing. */
export function failureHeaders({ keyed, status }: { keyed: boolean; status: number }): ReplyHeader[] {
  const known = keyed && ![401, 403, 500, 503].includes(status)
  return [
    'X-Request-Id',
    ...(known ? STANDING : []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]
}

/** Request headers: of any request, or of any computation. */
export const requestHeaders = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own identifier for the request; replaced if it does not match the pattern.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to retry: for 24 hours after a success, the same key with the same body returns the result again without a charge; with another body it is refused with 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7E]{1,255}$' },
  },
} as const
