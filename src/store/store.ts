/** What the service asks of its database: a handful of coarse verbs, one transaction each. */
import type { Entry, KeyStatus, Verdict } from '../ledger/types.ts'
import type { AccountStore } from './types/accounts.ts'
import type { AdminStore } from './types/admin.ts'
import type { OutboxStore } from './types/outbox.ts'
import type { Attempt, AttemptLimit, CountedAttempt, EventOrigin, StoredKey } from './types/parts.ts'
import type { UsageStore } from './types/usage.ts'

export * from './outcomes.ts'
export type * from './types/accounts.ts'
export type * from './types/admin.ts'
export type * from './types/outbox.ts'
export type * from './types/parts.ts'
export type * from './types/usage.ts'

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

export interface NewGuest {
  readonly uid: string
  readonly key: StoredKey
  readonly credits: number
  readonly lifetimeMs: number
  readonly device: { readonly id: string; readonly name: string; readonly platform: string }
  readonly event: EventOrigin
}

/** What a clean-up deleted; `more`: it took a piece and left the rest for the next one. */
export interface Tidied {
  readonly guests: number
  readonly auditRows: number
  readonly more: boolean
}

export interface Store extends AccountStore, UsageStore, OutboxStore, AdminStore {
  /** Whether lookups are answered within the turn, so that asking for several together gains nothing. */
  readonly answersAtOnce: boolean
  /** One row per hash, in order; null where no key has it. */
  lookup(hashes: readonly Uint8Array[]): (KnownKey | null)[] | Promise<(KnownKey | null)[]>
  /**
   * Admits and settles a batch in one transaction, durable when it holds a settlement. `again` says that an
   * earlier attempt at the same entries had an unknown outcome: what it wrote then stands. One batch at a time.
   * Throws NotCommitted or OutcomeUnknown.
   */
  commit(entries: readonly Entry[], again: boolean): Promise<Verdict[]>
  /** Refunds those of these calls that were debited though answered with a failure; safe to repeat. */
  refund(calls: readonly { auditId: string; accountId: number }[]): Promise<number>
  createGuest(guest: NewGuest): Promise<{ accountId: number; expiresAt: number; now: number }>
  /** Counts one attempt against every limit, or against none when one refuses; then tells when that one opens again. */
  attempt(limits: readonly AttemptLimit[]): Promise<Attempt>
  /** Takes attempts back that turned out right. */
  forgive(counted: readonly CountedAttempt[]): Promise<void>
  /** Deletes what has lapsed: guests a week after expiry, old bindings, counters, audit rows past retention. */
  tidy(options: { auditRetentionMs: number | null }): Promise<Tidied | null>
  /** A value kept once per database: writes it when absent, and returns what is kept. */
  keepOnce(name: string, value: string): Promise<string>
  /** Resolves when the database answers and takes writes. */
  ping(): Promise<void>
  close(): Promise<void>
}
