/** The failure of a request, and the closed table of failure codes. errors/ has the texts. */
import type { UsedUp } from './errors/used-up.ts'

/** For each code: its HTTP status, the condition in words, and what the caller can do. Earlier codes take precedence. */
export const failures = {
  request_timeout: {
    status: 408,
    title: 'The request did not arrive in time',
    remedy:
      'Send the request in full without pauses of 10 s, for example from a buffer instead of a slow source.',
  },
  headers_too_large: {
    status: 431,
    title: 'Headers over 16 KiB',
    remedy: 'Send fewer or shorter headers; cookies and tracing headers of a proxy are the usual reason.',
  },
  not_implemented: {
    status: 501,
    title: 'A transfer coding other than chunked',
    remedy: 'Send the body uncompressed, with `Content-Length` or `Transfer-Encoding: chunked`.',
  },
  route_not_found: {
    status: 404,
    title: 'No such path',
    remedy: 'Correct the path; the message names the closest one. Paths have no trailing slash.',
  },
  method_not_allowed: {
    status: 405,
    title: 'The path does not take this method',
    remedy: 'Use the method in the `Allow` header.',
  },
  api_key_missing: {
    status: 401,
    title: 'No API key',
    remedy: 'Send the key in the header `X-API-Key`, or as `Authorization: Bearer KEY`.',
  },
  api_key_invalid: {
    status: 401,
    title: 'Key malformed, unknown, suspended or revoked',
    remedy:
      'Read the key again from where you store it. If it was replaced, log in for the present one; if it was suspended, ask the operator.',
  },
  account_unverified: {
    status: 403,
    title: "The key's account is not verified",
    remedy: 'Confirm the account with the code from the mail, by /user/verify-otp.',
  },
  guest_key_expired: {
    status: 401,
    title: 'Guest key past its 24 hours',
    remedy: 'Create another guest key, or register for a key that does not expire.',
  },
  guest_forbidden: {
    status: 403,
    title: 'Only a registered account may do this',
    remedy:
      'Register an account by /user/register, with the guest key as `guest_api_key` to keep its credits.',
  },
  key_forbidden: {
    status: 403,
    title: 'The team key may not do this',
    remedy:
      "Call only the operations that the key's owner allowed, by a computation's path or /user/credits, and only from the addresses that the owner allowed; the owner changes both by /user/keys/update.",
  },
  closed: {
    status: 403,
    title: 'The operator has switched this endpoint off',
    remedy: 'Ask the operator of the service for an account.',
  },
  body_too_large: {
    status: 413,
    title: 'Body over the limit',
    remedy: 'Send less at once: divide the rows among several requests, or send Arrow instead of JSON.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Body is neither application/json nor, where that is accepted, an Arrow stream',
    remedy:
      'Send the header `Content-Type: application/json`, or on columns and tables that of an Arrow stream.',
  },
  credits_exhausted: {
    status: 402,
    title: "Balance below the call's cost",
    remedy:
      'Ask the operator for credits, or register if the key is a guest key. Repeating the request does not help.',
  },
  key_cap_exhausted: {
    status: 402,
    title: "The team key's cap is below the call's cost",
    remedy: "Wait until the cap renews, or ask the account's owner to raise it by /user/keys/update.",
  },
  rate_limited: {
    status: 429,
    title: 'A rate window is used up',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat. Send many rows as columns, which count as one request.',
  },
  invalid_json: {
    status: 400,
    title: 'Body is not parseable JSON, or the request is not well-formed HTTP',
    remedy: 'Correct the body at the line and column in the message; a JSON library writes valid bodies.',
  },
  invalid_input: {
    status: 422,
    title: 'Body or query fails the schema, or the body the mathematics',
    remedy: 'Correct the fields that `details` names by JSON pointers; each has the rule that it breaks.',
  },
  idempotency_conflict: {
    status: 409,
    title: 'Same Idempotency-Key, different request',
    remedy:
      'Choose a new Idempotency-Key for each different request; repeat a request with exactly the same body.',
  },
  token_invalid: {
    status: 401,
    title: 'Operator token missing, unknown, expired or revoked',
    remedy: 'Send a token as `Authorization: Bearer qd_op_…`; `quantd admin token create` makes one.',
  },
  sign_on_failed: {
    status: 401,
    title: 'The sign-on at the provider did not succeed',
    remedy: 'Begin again in the page; the operator finds the reason in the log by the request id.',
  },
  role_forbidden: {
    status: 403,
    title: "The token's role may not do this",
    remedy: 'Ask an operator with the role in the message, or for a token of that role.',
  },
  second_person_needed: {
    status: 202,
    title: 'A second operator must confirm the act',
    remedy:
      'Nothing was done yet: another operator confirms the approval that `details` names, by POST /operator/v1/approvals/confirm or in the page. The same request, sent again, waits once.',
  },
  not_found: {
    status: 404,
    title: 'The account has nothing with this id',
    remedy: 'Read the list of what the account has, for example by GET /user/keys, and send an id from it.',
  },
  invalid_credentials: {
    status: 401,
    title: 'Wrong e-mail address or password',
    remedy: 'Correct the address or the password, or set a new password by /user/forgot-password.',
  },
  otp_invalid: {
    status: 401,
    title: 'One-time code wrong, used or expired',
    remedy: 'Type the newest code, or request another one. A code can be used once and lasts 10 minutes.',
  },
  mfa_required: {
    status: 401,
    title: 'A second factor is needed',
    remedy: 'Send `mfa_code`: the 6 digits of the authenticator app, or a recovery code.',
  },
  mfa_invalid: {
    status: 401,
    title: 'Second factor wrong, used or expired',
    remedy:
      'Send the next code of the authenticator app; check the clock of its device. A recovery code can be used once.',
  },
  key_suspended: {
    status: 403,
    title: "The account's key is suspended",
    remedy: 'Ask the operator of the service, who has suspended the key.',
  },
  conflict: {
    status: 409,
    title: 'The state of the account does not allow this',
    remedy:
      'Read the message: it names the state of the account, for example a second factor that is already on.',
  },
  too_many_attempts: {
    status: 429,
    title: 'Too many attempts',
    remedy:
      'Wait for the seconds in `Retry-After`. A password reset ends a lock-out that others have caused.',
  },
  overloaded: {
    status: 503,
    title: 'Too much work at once',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat with the same Idempotency-Key; nothing was charged.',
  },
  unavailable: {
    status: 503,
    title: 'The database or another part is not reachable',
    remedy:
      'Wait for the seconds in `Retry-After`, then repeat with the same Idempotency-Key; nothing was charged, or it is refunded.',
  },
  internal: {
    status: 500,
    title: 'A bug',
    remedy:
      'Report it with the request id to the operator, who finds the reason in the log; nothing was charged.',
  },
} as const satisfies Record<string, { status: number; title: string; remedy: string }>

export type FailureCode = keyof typeof failures

/** A fault in the request: a JSON pointer to its place in the body, and the rule that the value breaks. */
export interface Detail {
  readonly path: string
  readonly message: string
}

/** The numbers that the message of a failure has in words, for programs: fields of `error` in the reply. */
export interface FailureNumbers extends Partial<UsedUp> {
  /** The credits that the request costs. */
  readonly needed?: number
  /** Present where only a part of the cost is known. */
  readonly at_least?: true
  readonly balance?: number
  /** The part of the balance that may be charged for requests in progress. */
  readonly in_progress?: number
  /** The credits that the cap of the team key has left. */
  readonly cap_left?: number
  /** Absent: never. */
  readonly cap_resets_at?: string
  /** The estimated time of a request that has too much work, and the most that one may have. */
  readonly seconds?: number
  readonly limit_seconds?: number
}

/** The reason why an access token was refused, for the header WWW-Authenticate (RFC 6750, section 3). */
export interface Challenge {
  readonly error: 'insufficient_scope' | 'invalid_token'
  /** Without quotation marks. */
  readonly description: string
}

interface FailureOptions {
  readonly challenge?: Challenge
  readonly details?: readonly Detail[]
  readonly numbers?: FailureNumbers
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
  readonly isBug?: boolean
}

/**
 * An error that is part of normal operation. It has no stack trace, because capturing one takes ten times as long as making the
 * rest of the error: a client that sends faulty requests must not slow the others down.
 */
export class ExpectedError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(message, options)
    Error.stackTraceLimit = stackTraceLimit
  }
}

/** A failure that the caller gets. `message` is one sentence, which says what is wrong and what to do. */
export class Failure extends ExpectedError {
  override readonly name = 'Failure'
  readonly code: FailureCode
  readonly details: readonly Detail[]
  readonly numbers: FailureNumbers
  readonly retryAfterSeconds: number | undefined
  /** Null: no access token was refused. */
  readonly challenge: Challenge | null
  /** Whether it is a bug of the service, which is reported. */
  readonly isBug: boolean

  constructor(code: FailureCode, message: string, options: FailureOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.details = options.details ?? []
    this.numbers = options.numbers ?? {}
    this.retryAfterSeconds = options.retryAfterSeconds
    this.challenge = options.challenge ?? null
    this.isBug = options.isBug ?? code === 'internal'
  }

  get status(): number {
    return failures[this.code].status
  }
}

/** Returns a result; if it is a Failure, throws it. */
export function succeeded<Result>(result: Result): Exclude<Result, Failure> {
  if (result instanceof Failure) throw result
  return result as Exclude<Result, Failure>
}

/** Whole seconds from `now` until `retryAt` (both epoch milliseconds), at least 1: the value of Retry-After. */
export const retryAfterSeconds = (retryAt: number, now: number): number =>
  Math.max(1, Math.ceil((retryAt - now) / 1_000))

/** The facts of a failure as plain data, which can be sent between threads. */
export type FailureFacts = Pick<Failure, 'code' | 'message' | 'details'> &
  Partial<Pick<Failure, 'isBug' | 'numbers' | 'retryAfterSeconds'>>

export const failureFrom = ({ code, message, ...options }: FailureFacts): Failure =>
  new Failure(code, message, options)

/** A JSON pointer in words, items counted from 1: `y_true: item 2` for `/y_true/1`, `quotes: item 7: price` for `/quotes/6/price`. */
export function placeOf(path: string): string {
  const places: string[] = []
  let names: string[] = []
  let counts: number[] = []
  const end = (): void => {
    if (names.length > 0) places.push(names.join('.'))
    if (counts.length > 0)
      places.push(counts.length === 1 ? `item ${counts[0]}` : `row ${counts[0]}, item ${counts[1]}`)
    names = []
    counts = []
  }
  for (const part of path.split('/').slice(path.startsWith('/') ? 1 : 0)) {
    if (/^\d+$/.test(part)) counts.push(Number(part) + 1)
    else {
      if (counts.length > 0) end()
      names.push(part.replaceAll('~1', '/').replaceAll('~0', '~'))
    }
  }
  end()
  return path === '' ? 'The body' : places.join(': ')
}
