/** Attempts that are limited in number: per scope and subject, in fixed windows. */

/** At most `limit` attempts in a fixed window. */
export interface AttemptLimit {
  readonly scope: string
  readonly subject: string
  readonly limit: number
  readonly windowMs: number
  /** The attempt is not counted against this limit while that other counter runs. */
  readonly unless?: Counter
}

/** Names a counter. */
export interface Counter {
  readonly scope: string
  readonly subject: string
}

/** An attempt that was allowed and counted; `forgive` uncounts it if it was right. */
export interface CountedAttempt {
  readonly scope: string
  readonly subject: string
  /** Identifies the window in which it was counted. */
  readonly startedAt: number
}

export type Attempt =
  | { readonly ok: true; readonly now: number; readonly counted: readonly CountedAttempt[] }
  | { readonly ok: false; readonly now: number; readonly retryAt: number }
