/**
 * The service's database. Each method runs one transaction; the verbs in verbs/, with their arguments and results, are
 * the same for both databases. Group commits and key lookups are written for each: see sqlite/ and postgres/.
 */
import type { Entry, KeyStatus, Verdict } from '../ledger/types.ts'
import type { Methods } from './methods.ts'
import type { adminReads, Replication, verbs } from './verbs/index.ts'

export type { Dated, History } from './history.ts'
export * from './outcomes.ts'
export type * from './types/account-changes.ts'
export type * from './types/attempts.ts'
export type * from './types/mailed-codes.ts'
export type * from './types/secrets.ts'
export type * from './verbs/index.ts'

/** A key with the facts of its account that authentication needs. */
export interface KnownKey {
  readonly keyId: number
  readonly accountId: number
  readonly status: KeyStatus
  readonly verified: boolean
  /** Epoch milliseconds on the database's clock; null: never. */
  readonly expiresAt: number | null
  readonly now: number
}

export interface Store extends Methods<typeof verbs> {
  /** Whether `lookup` answers synchronously, so that grouping lookups gains nothing. */
  readonly answersAtOnce: boolean
  /** A group of entries or of look-ups has one bucket's accounts, and groups of several buckets run at once; 1: no buckets. */
  readonly buckets: number
  /**
   * Returns one key per hash, in their order; null where no key has the hash.
   * @param bucket the bucket that the keys tell; only a sharded database uses it
   */
  lookup(hashes: readonly Uint8Array[], bucket: number): (KnownKey | null)[] | Promise<(KnownKey | null)[]>
  /**
   * Decides a group of entries and writes it in one transaction, forced to disk if it holds a settlement. `again` says
   * that an earlier attempt at the same entries had an unknown outcome; what that attempt wrote is kept. Call it for
   * one group at a time, or one of each bucket. Rejects with NotCommitted or OutcomeUnknown.
   */
  commit(entries: readonly Entry[], again: boolean): Promise<Verdict[]>
  /** Resolves if the database is reachable and accepts writes, with how it replicates. */
  ping(): Promise<Replication>
  close(): Promise<void>
}

/** Reads for the command line. Each sees the database at one moment and blocks no writer. */
export interface AdminReader extends Methods<typeof adminReads> {
  close(): Promise<void>
}
