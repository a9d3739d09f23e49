/** The one error the client throws. */
import type { FailureCode } from './types.ts'

/** What in the request is at fault: a JSON pointer into it, and the rule it breaks. */
export interface Detail {
  readonly path: string
  readonly message: string
}

export interface QuantdErrorFields {
  /** The service's code; `network`: no answer came; `timeout`: none in time; `reply`: it was not the service's. */
  readonly code: FailureCode | 'network' | 'timeout' | 'reply'
  /** HTTP status; 0 where no answer came. */
  readonly status: number
  readonly requestId: string | null
  readonly details: readonly Detail[]
  readonly retryAfterSeconds: number | null
  readonly cause?: unknown
}

/** A call that did not succeed; `message` is one sentence for a person, `code` is for programs. */
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
