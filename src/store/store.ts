/**
 * The service's database. A verb describes a transaction by yielding its statements, and lies beside the code that runs it.
 * Group commits and key look-ups are written for each database: see sqlite/ and postgres/.
 */
import type { Entry, Verdict } from '../ledger/types.ts'
import type { KnownKey } from './known-key.ts'
import type { Replication } from './replication.ts'
import type { Sql, Transaction } from './sql.ts'

export type { KnownKey } from './known-key.ts'
export * from './outcomes.ts'
export type { Replication } from './replication.ts'

export type Verb<Args extends readonly unknown[], Result> = (sql: Sql, ...args: Args) => Transaction<Result>

/** Runs each verb in a transaction of its own. Rejects with NotCommitted or OutcomeUnknown. */
export interface Runner {
  run<Args extends readonly unknown[], Result>(verb: Verb<Args, Result>, ...args: Args): Promise<Result>
}

/** For reads. Each sees the database at one moment and blocks no writer. */
export interface Reader extends Runner {
  close(): Promise<void>
}

export interface Store extends Runner {
  /** Whether `lookup` answers synchronously, so that grouping lookups gains nothing. */
  readonly answersAtOnce: boolean
  /** A group of entries or of look-ups has one bucket's accounts, and groups of several buckets run at once; 1: no buckets. */
  readonly buckets: number
  /** Whether the audit has a partition for each day: many days are then read in several transactions. */
  readonly isByDay: boolean
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
  /** As `run`, with every statement on rows of accounts limited to one bucket. */
  runIn<Args extends readonly unknown[], Result>(
    bucket: number,
    verb: Verb<Args, Result>,
    ...args: Args
  ): Promise<Result>
  /**
   * Adds partitions to an audit by days, and drops those whose rows are all past their retention (null: kept forever);
   * returns the number of dropped rows.
   */
  keepDays(retentionMs: number | null): Promise<number>
  /** Resolves if a group commit would succeed now, with how the database replicates. */
  ping(): Promise<Replication>
  close(): Promise<void>
}

/** Reads on a standby of the database. */
export interface Replica {
  /** Runs a read; null if the standby cannot be reached, lags too far, or its lag is not known yet. */
  read<Result>(verb: Verb<[], Result>): Promise<{ readonly result: Result; readonly lagMs: number } | null>
  close(): Promise<void>
}
