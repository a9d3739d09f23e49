/** What the verbs of the Store pass about: secrets as they are kept, origins of events, counted attempts. */

/** A secret under one of the master keys. */
export interface Sealed {
  readonly masterKeyId: string
  readonly sealed: Uint8Array
}

/** A new API key as it is kept: found by hash, returned by opening. */
export interface StoredKey extends Sealed {
  readonly uid: string
  readonly hash: Uint8Array
}

/** Who caused an account event, for the audit. */
export interface EventOrigin {
  readonly auditId: string
  readonly ip: string
  readonly requestId: string
  readonly method: string
  readonly path: string
}

/** One counter of attempts: at most `limit` in a fixed window that starts with the first. */
export interface AttemptLimit {
  readonly scope: string
  readonly subject: string
  readonly limit: number
  readonly windowMs: number
}

/** An attempt that was allowed and counted; `forgive` takes it back where it was a right one. */
export interface CountedAttempt {
  readonly scope: string
  readonly subject: string
  /** Names the window it was counted in. */
  readonly startedAt: number
}

export type Attempt =
  | { readonly ok: true; readonly now: number; readonly counted: readonly CountedAttempt[] }
  | { readonly ok: false; readonly now: number; readonly retryAt: number }

/** A keyed hash under one of the master keys. */
export interface KeptHash {
  readonly masterKeyId: string
  readonly hash: Uint8Array
}

/** A mail on its way into the outbox. */
export interface NewMail extends Sealed {
  readonly id: string
  readonly to: string
}
