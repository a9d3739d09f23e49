/** The error that the client throws. */
import type { FailureCode } from './types.ts'

/** A fault in the request: a JSON pointer to the field, and the rule that it violates. */
export interface Detail {
  readonly path: string
  readonly message: string
}

export interface QuantdErrorFields {
  /** The service's code; `network`: no reply; `timeout`: no reply in time; `reply`: the reply is not one of quantd. */
  readonly code: FailureCode | 'network' | 'timeout' | 'reply'
  /** HTTP status; 0 if there was no reply. */
  readonly status: number
  readonly requestId: string | null
  readonly details: readonly Detail[]
  readonly retryAfterSeconds: number | null
  readonly cause?: unknown
}

/** A failed call; `message` is one sentence for people, `code` is for programs. */
export class QuantdError extends Error {
  override readonly name = 'QuantdError'
  readonly code: QuantdErrorFields['code']
  readonly status: number
  readonly requestId: string | null
  readonly details: readonly Detail[]
  readonly retryAfterSeconds: number | null

  constructor(message: string, fields: QuantdErrorFields) {
    super(message, fields.cause === undefined ? undefined : { cause: fields.cause })
    this.code = fields.code
    this.status = fields.status
    this.requestId = fields.requestId
    this.details = fields.details
    this.retryAfterSeconds = fields.retryAfterSeconds
  }
}
