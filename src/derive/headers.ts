/** The headers that requests and replies carry, as OpenAPI describes them. */
const text = { type: 'string' }
const whole = { type: 'integer', minimum: 0 }

/** Of replies. */
export const replyHeaders = {
  'X-Request-Id': {
    description:
      'Names the request in logs and audit: the one sent along, when it is 1 to 128 characters of A-Z a-z 0-9 . _ -, otherwise a new UUID.',
    schema: text,
    example: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e',
  },
  'RateLimit-Policy': {
    description: 'The key’s windows: quota q and length w in seconds.',
    schema: text,
    example: '"hour";q=60;w=3600, "day";q=50;w=86400',
  },
  RateLimit: {
    description: 'What is left in each window: r requests, t seconds until it ends.',
    schema: text,
    example: '"hour";r=59;t=3600, "day";r=49;t=86400',
  },
  'X-RateLimit-Limit': {
    description: 'Quota of the window nearest to exhaustion.',
    schema: whole,
    example: 50,
  },
  'X-RateLimit-Remaining': { description: 'Requests left in that window.', schema: whole, example: 49 },
  'X-RateLimit-Reset': {
    description: 'End of that window, seconds since 1970.',
    schema: whole,
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
    description: 'Present on a repetition of a paid request, which is not charged again.',
    schema: { type: 'string', enum: ['true'] },
  },
  'Retry-After': { description: 'Seconds to wait before the next try.', schema: whole, example: 30 },
} as const

export type ReplyHeader = keyof typeof replyHeaders

const STANDING = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Credits-Remaining',
] as const

/** Which headers a success carries. */
export function successHeaders(keyed: boolean, computation: boolean): ReplyHeader[] {
  return [
    'X-Request-Id',
    ...(keyed ? STANDING : []),
    ...(computation ? (['X-Credits-Cost', 'Idempotent-Replayed'] as const) : []),
  ]
}

/** Which headers a failure carries: where the key is known, also how it stands. */
export function failureHeaders(keyed: boolean, status: number): ReplyHeader[] {
  const known = keyed && ![401, 403, 500, 503].includes(status)
  return [
    'X-Request-Id',
    ...(known ? STANDING : []),
    ...(status === 429 || status === 503 ? (['Retry-After'] as const) : []),
  ]
}

/** Of requests: parameters that any request, or any computation, may carry. */
export const requestHeaders = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    required: false,
    description: 'Your own name for the request; kept when it fits, replaced otherwise.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9._-]{1,128}$' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'Makes the request safe to repeat: once it has succeeded, the same key with the same body is answered again for 24 hours without a charge, and with another body refused with 409.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7E]{1,255}$' },
  },
} as const
