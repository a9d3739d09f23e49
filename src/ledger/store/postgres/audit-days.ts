/** The days of the audit: a partition for each, made ahead of time and dropped whole by retention. */
import { PARTITION_LOCK_MS } from '../../../base/limits/operation.ts'
import { DAY_MS } from '../../../base/time.ts'
import { type AuditPart, auditParts, DEFAULT_PART, partOfDay, startOfDay } from '../audit-parts.ts'
import { PARTITIONS_LOCK } from '../locks.ts'
import { statement, type Transaction } from '../sql.ts'
import { readClock } from './clock.ts'

/** The number of days ahead that have a partition. */
const AHEAD = 3

/** Locks the partitions. Later statements of the transaction wait for a table for a short time only. */
export function* lockParts(): Transaction<void> {
  yield statement('SELECT pg_advisory_xact_lock($1)', PARTITIONS_LOCK)
  yield statement(`SET LOCAL lock_timeout = ${PARTITION_LOCK_MS}`)
}

/** The database's clock without the store's correction. */
export function* databaseNow(): Transaction<number> {
  return Number((yield readClock())[0].now)
}

const BY_DAY = { isByDay: true } as const

export function* isPartitioned(): Transaction<boolean> {
  return (
    (yield statement("SELECT 1 FROM pg_partitioned_table WHERE partrelid = 'audit'::regclass")).length > 0
  )
}

/** Makes the partitions of the present day and of the next ones. A day with rows in the default partition keeps them there. */
export function* addDays(now: number): Transaction<void> {
  const missing = daysWithout(yield* auditParts(BY_DAY), startOfDay(now))
  if (missing.length === 0 || !(yield* isPartitioned())) return
  yield* lockParts()
  for (const day of daysWithout(yield* auditParts(BY_DAY), startOfDay(now))) {
    const until = day + DAY_MS
    const [row] = yield statement(
      `SELECT 1 FROM ${DEFAULT_PART} WHERE at >= ${day} AND at < ${until} LIMIT 1`,
    )
    if (row !== undefined) continue
    // The table is made first and then attached: CREATE TABLE … PARTITION OF would lock the whole audit.
    yield statement(`CREATE TABLE ${partOfDay(day)} (LIKE audit INCLUDING DEFAULTS)`)
    yield statement(
      `ALTER TABLE audit ATTACH PARTITION ${partOfDay(day)} FOR VALUES FROM (${day}) TO (${until})`,
    )
  }
}

const daysWithout = (parts: readonly AuditPart[], today: number): number[] =>
  Array.from({ length: AHEAD + 1 }, (_, n) => today + n * DAY_MS).filter(
    (day) => !parts.some(({ from, to }) => from < day + DAY_MS && day < to),
  )

/**
 * Drops the oldest partition if all its rows are from before `before`, and writes the sums of their debits into the ledger, so
 * that balances still add up. The sums are read before any lock that a call needs is taken. Returns the number of rows; null: no
 * partition is so old.
 */
export function* dropDay(now: number, before: number): Transaction<number | null> {
  yield* lockParts()
  const [oldest] = yield* auditParts(BY_DAY)
  if (oldest === undefined || oldest.to > before) return null
  const { name, to } = oldest
  yield statement(`LOCK TABLE ${name} IN SHARE MODE`)
  const [counted] = yield statement(
    `WITH sums AS MATERIALIZED (
       SELECT a.account_id, k.team_key_id, sum(a.credits)::bigint AS credits, count(*)::bigint AS rows
       FROM ${name} a LEFT JOIN api_keys k ON k.id = a.key_id GROUP BY a.account_id, k.team_key_id),
     archived AS (
       INSERT INTO ledger (at, account_id, kind, amount, team_key_id)
       SELECT $1::bigint, id, 'archived_debits', -credits, team_key_id FROM sums JOIN accounts ON id = account_id
       WHERE credits > 0 ORDER BY id)
     SELECT coalesce(sum(rows), 0)::bigint AS rows FROM sums`,
    now,
  )
  yield statement('DELETE FROM usage_days WHERE day < $1', to / DAY_MS)
  yield statement(`DROP TABLE ${name}`)
  return Number(counted!.rows)
}

/** Whether the oldest partition has only rows from before this time. */
export function* isDue(before: number): Transaction<boolean> {
  const [oldest] = yield* auditParts(BY_DAY)
  return oldest !== undefined && oldest.to <= before
}
