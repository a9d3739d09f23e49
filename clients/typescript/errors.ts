/** The errors that the client throws: one class per kind, so that `instanceof` tells them apart. */
import type { FailureCode } from './failure-codes.ts'

/** A fault in the request: a JSON pointer to the field, and the rule that it violates. */
export interface Detail {
  readonly path: string
  readonly message: string
}

type Numbers = Readonly<Record<string, number | string | boolean>>

export interface QuantdErrorFields {
  /** The service's code; `network`: no reply; `timeout`: no reply in time; `reply`: the reply is not one of quantd. */
  readonly code: FailureCode | 'network' | 'timeout' | 'reply'
  /** HTTP status; 0 if there was no reply. */
  readonly status: number
  readonly requestId: string | null
  readonly details: readonly Detail[]
  /** The numbers of the message by their names in the reply: `needed`, `balance`, `limit`, … */
  readonly numbers?: Numbers
  readonly retryAfterSeconds: number | null
  readonly cause?: unknown
}

/** A failed call; `message` is one sentence for people, `code` is for programs. */
export class QuantdError extends Error {
  override readonly name: string = 'QuantdError'
  readonly code: QuantdErrorFields['code']
  readonly status: number
  readonly requestId: string | null
  readonly details: readonly Detail[]
  readonly numbers: Numbers
  readonly retryAfterSeconds: number | null

  constructor(message: string, fields: QuantdErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.status = fields.status
    this.requestId = fields.requestId
    this.details = fields.details
    this.numbers = fields.numbers ?? {}
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}

/** The key is missing, unknown, suspended, revoked or expired, or a password or code is wrong. Status 401. */
export class AuthenticationError extends QuantdError {
  override readonly name = 'AuthenticationError'
}

/** The account may not do this. Status 403. */
export class PermissionError extends QuantdError {
  override readonly name = 'PermissionError'
}

/** The balance does not cover the call. Status 402. */
export class CreditsExhaustedError extends QuantdError {
  override readonly name = 'CreditsExhaustedError'
}

/** A rate limit is used up for `retryAfterSeconds`. Status 429. */
export class RateLimitError extends QuantdError {
  override readonly name = 'RateLimitError'
}

/** The request is faulty; `details` names the fields. Statuses 400, 404, 405, 413, 415 and 422. */
export class InvalidInputError extends QuantdError {
  override readonly name = 'InvalidInputError'
}

/** The idempotency key was used for another request, or the state of the account does not allow this. Status 409. */
export class ConflictError extends QuantdError {
  override readonly name = 'ConflictError'
}

/** The service could not answer; nothing was charged. Statuses from 500. */
export class ServiceError extends QuantdError {
  override readonly name = 'ServiceError'
}

/** The service could not be reached. */
export class ConnectionError extends QuantdError {
  override readonly name = 'ConnectionError'
}

/** There was no reply in time. */
export class TimeoutError extends QuantdError {
  override readonly name = 'TimeoutError'
}

/** Makes an error of the class that fits the code and status. */
export function errorOf(message: string, fields: QuantdErrorFields): QuantdError {
  const Fitting = classOf(fields)
  return new Fitting(message, fields)
}

const byStatus: Readonly<Record<number, typeof QuantdError>> = {
  401: AuthenticationError,
  402: CreditsExhaustedError,
  403: PermissionError,
  409: ConflictError,
  429: RateLimitError,
}

function classOf({ code, status }: QuantdErrorFields): typeof QuantdError {
  if (code === 'network') return ConnectionError
  if (code === 'timeout') return TimeoutError
  if (code === 'reply') return QuantdError
  return byStatus[status] ?? (status >= 500 ? ServiceError : InvalidInputError)
}
