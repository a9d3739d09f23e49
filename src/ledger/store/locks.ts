/** The advisory locks of a PostgreSQL database, each held until its transaction ends. SQLite has a single writer anyway. */
import { type Sql, statement, type Transaction } from './sql.ts'

/** Nodes that start together migrate one after the other. */
export const MIGRATION_LOCK = 7_140_950
/** One node at a time deletes expired rows (app/main/clean-up.ts). */
export const TIDY_LOCK = 7_140_951
/** One node at a time changes the partitions of the audit. */
export const PARTITIONS_LOCK = 7_140_952
/** One node at a time queues the deliveries of events. */
export const WEBHOOK_LOCK = 7_140_953
/** One node at a time makes a checkpoint of the audit, or erases client addresses from it. */
export const CHECKPOINT_LOCK = 7_140_954
/** One transaction at a time stores an act that waits for a second person. */
export const APPROVAL_LOCK = 7_140_955
/** One transaction at a time does an act that may need a second person because of earlier ones. */
export const LONE_ACT_LOCK = 7_140_956
/** One move into the database at a time. */
export const MOVE_LOCK = 7_140_957
/** Seed of the hashes of 64 bits by which e-mail addresses are locked. */
export const ADDRESS_SEED = 7_140_952

/** Waits for a lock. */
export function* awaitLock({ dialect }: Pick<Sql, 'dialect'>, lock: number): Transaction<void> {
  if (dialect === 'postgres') yield statement('SELECT pg_advisory_xact_lock($1)', lock)
}

/** Takes a lock; false: another transaction has it. */
export function* takeLock({ dialect }: Pick<Sql, 'dialect'>, lock: number): Transaction<boolean> {
  if (dialect !== 'postgres') return true
  const [taken] = yield statement('SELECT pg_try_advisory_xact_lock($1) AS mine', lock)
  return taken.mine === true
}
