/** What the service asks of its database: a handful of coarse verbs, one transaction each. */
import type { Entry, KeyStatus, Verdict } from '../ledger/types.ts'

/** A key as authentication sees it, with what it needs to know of the account. */
export interface KnownKey {
  readonly keyId: number
  readonly accountId: number
  readonly status: KeyStatus
  readonly verified: boolean
  /** Epoch milliseconds on the database's clock; null: never. */
  readonly expiresAt: number | null
  readonly now: number
}

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

export interface NewGuest {
  readonly uid: string
  readonly key: StoredKey
  readonly credits: number
  readonly lifetimeMs: number
  readonly device: { readonly id: string; readonly name: string; readonly platform: string }
  readonly event: EventOrigin
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

export interface Store {
  /** One row per hash, in order; null where no key has it. */
  lookup(hashes: readonly Uint8Array[]): Promise<(KnownKey | null)[]>
  /**
   * Admits and settles a batch in one transaction, durable when it holds a settlement. `again` says that an
   * earlier attempt at the same entries had an unknown outcome: what it wrote then stands.
   * Throws NotCommitted or OutcomeUnknown.
   */
  commit(entries: readonly Entry[], again: boolean): Promise<Verdict[]>
  /** Refunds those of these calls that were debited though answered with a failure; safe to repeat. */
  refund(calls: readonly { auditId: string; accountId: number }[]): Promise<number>
  createGuest(guest: NewGuest): Promise<{ accountId: number; expiresAt: number; now: number }>
  /** Counts one attempt against every limit; null when all allow it, else the time the fullest opens again. */
  attempt(limits: readonly AttemptLimit[]): Promise<{ retryAt: number; now: number } | null>
  /** Deletes what has lapsed: guests a week after expiry, old bindings, counters, audit rows past retention. */
  tidy(options: { auditRetentionMs: number | null }): Promise<{ guests: number; auditRows: number } | null>
  /** A value kept once per database: writes it when absent, and returns what is kept. */
  keepOnce(name: string, value: string): Promise<string>
  /** Resolves when the database answers and takes writes. */
  ping(): Promise<void>
  close(): Promise<void>
}

/** The transaction certainly did not happen. */
export class NotCommitted extends Error {
  override readonly name = 'NotCommitted'
}

/** The connection went away around COMMIT: the transaction may have happened. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown'
}
