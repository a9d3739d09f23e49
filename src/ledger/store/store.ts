/**
 * The service's database. A verb describes a transaction by yielding its statements, and lies beside the code that runs it.
 * Group commits and key look-ups are written for each database: see sqlite/ and postgres/.
 */
import type { EntryGroup, Verdict } from '../rules/types.ts'
import type { KnownKey } from './known-key.ts'
import { type Runner, type Sql, statement, type Transaction, type Verb } from './sql.ts'

export type { KnownKey } from './known-key.ts'
export { NotCommitted, OutcomeUnknown, type Runner, UnusableDatabase, type Verb } from './sql.ts'

/** Runs reads. Each sees one snapshot of the database and blocks no writer. */
export interface Reader extends Runner {
  close(): Promise<void>
}

export interface Store extends Runner {
  /** Runs reads of operators and owners, each in one snapshot. On SQLite they run in a thread, so that they delay no call. */
  readonly reads: Runner
  /** Whether `lookup` answers synchronously. */
  readonly answersAtOnce: boolean
  /** The name of the set of accounts to which this one belongs: accounts of one set commit together, sets commit in parallel. */
  together(accountId: number): string
  /** Whether the audit has a partition for each day: many days are then read in several transactions. */
  readonly isByDay: boolean
  /** Returns one key per hash, in their order; null where no key has the hash. */
  lookup(hashes: readonly Uint8Array[]): (KnownKey | null)[] | Promise<(KnownKey | null)[]>
  /**
   * Decides a group of entries and writes it in one transaction, forced to disk if it holds a settlement. Call it for one
   * group at a time, or one of each set of accounts that commit together. Rejects with NotCommitted, OutcomeUnknown, or
   * BrokenAssertion if nothing was written.
   */
  commit(group: EntryGroup): Promise<Verdict[]>
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

/** `asynchronous`: a standby without commits that callers were told of may be promoted. */
export type Replication = 'none' | 'synchronous' | 'asynchronous'

/**
 * A standby is recognised by its connection, which every role may see. The service sets synchronous_commit itself, so
 * that only the list of synchronous standbys decides.
 */
export function* replication({ dialect }: Pick<Sql, 'dialect'>): Transaction<Replication> {
  if (dialect === 'sqlite') return 'none'
  const [state] = yield statement(STATE)
  if (state!.synchronous === true) return 'synchronous'
  return state!.replicates === true ? 'asynchronous' : 'none'
}

const STATE = `SELECT current_setting('synchronous_standby_names') <> '' AS synchronous,
  EXISTS (SELECT FROM pg_stat_replication) AS replicates`
