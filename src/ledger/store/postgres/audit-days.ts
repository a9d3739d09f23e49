/** The days of the audit: a partition for each, made ahead of time and dropped whole by retention; an older table gets them once. */
import { PARTITION_LOCK_MS } from '../../../base/limits/operation.ts'
import { DAY_MS, SECOND_MS } from '../../../base/time.ts'
import { type AuditPart, auditParts, DEFAULT_PART, EARLIER_PART, partOfDay, startOfDay } from '../audit.ts'
import { PARTITIONS_LOCK } from '../locks.ts'
import { type Run, statement, type Transaction } from '../sql.ts'
import { readClock } from './clock.ts'

/** The number of days ahead that have a partition. */
const AHEAD = 3

/** Locks the partitions. Later statements of the transaction wait for a table for a short time only. */
function* lockParts(): Transaction<void> {
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

const LIMIT = `${EARLIER_PART}_limit`
/**
 * The number of days ahead for which the limit of the old table admits rows. Later rows would be refused if the table were still
 * the only one then, because a lock was never granted; so the limit is renewed when less than `LEAST_DAYS` are left.
 */
const SPARE_DAYS = 7
const LEAST_DAYS = 4

/** The time to wait for a lock: a vacuum of the table ends after a second when a change of the table waits. */
const VACUUM_MS = 10 * SECOND_MS

/** Nodes that start together do this one after the other. @param run without short time-outs */
export async function partitionAudit(run: Run): Promise<void> {
  if (await run(isPartitioned)) return
  await run(limitRows)
  await run(checkRows)
  await run(putInPlace)
}

/** The limit in the constraint of the table; null: it has no such constraint. */
function* limitOfRows(): Transaction<number | null> {
  const [limit] = yield statement(
    `SELECT substring(pg_get_constraintdef(oid) FROM '\\d{9,}')::bigint AS at FROM pg_constraint
     WHERE conrelid = 'audit'::regclass AND conname = '${LIMIT}'`,
  )
  return limit === undefined ? null : Number(limit.at)
}

/** Adds the constraint, by which new rows are checked from now on. */
function* limitRows(): Transaction<void> {
  yield* lockParts()
  if (yield* isPartitioned()) return
  const [newest] = yield statement('SELECT at FROM audit ORDER BY at DESC LIMIT 1')
  if (newest === undefined) return
  const now = yield* databaseNow()
  const before = yield* limitOfRows()
  if (before !== null && before > now + LEAST_DAYS * DAY_MS) return
  if (before !== null) yield statement(`ALTER TABLE audit DROP CONSTRAINT ${LIMIT}`)
  const limit = startOfDay(Math.max(now, Number(newest.at))) + (SPARE_DAYS + 1) * DAY_MS
  yield statement(`ALTER TABLE audit ADD CONSTRAINT ${LIMIT} CHECK (at < ${limit}) NOT VALID`)
}

/** Validates the constraint: reads the whole table, which stays locked only against changes of its definition. */
function* checkRows(): Transaction<void> {
  yield* lockParts()
  if ((yield* isPartitioned()) || (yield* limitOfRows()) === null) return
  // No call waits behind this lock.
  yield statement(`SET LOCAL lock_timeout = ${VACUUM_MS}`)
  yield statement(`ALTER TABLE audit VALIDATE CONSTRAINT ${LIMIT}`)
}

/** Makes the table a partition of a new table of its name; calls wait for some milliseconds. */
function* putInPlace(): Transaction<void> {
  yield* lockParts()
  if (yield* isPartitioned()) return
  yield statement('LOCK TABLE audit IN ACCESS EXCLUSIVE MODE')
  const indexes = yield statement(
    `SELECT relname AS name, pg_get_indexdef(indexrelid) AS definition
     FROM pg_index JOIN pg_class ON oid = indexrelid WHERE indrelid = 'audit'::regclass`,
  )
  const limit = yield* limitOfRows()
  // Another node has written the first row meanwhile, which the next attempt checks.
  if (limit === null && (yield statement('SELECT 1 FROM audit LIMIT 1')).length > 0) return
  yield statement(`ALTER TABLE audit RENAME TO ${EARLIER_PART}`)
  for (const { name } of indexes)
    yield statement(`ALTER INDEX ${name} RENAME TO ${earlierName(String(name))}`)
  yield statement(`CREATE TABLE audit (LIKE ${EARLIER_PART} INCLUDING DEFAULTS) PARTITION BY RANGE (at)`)
  for (const { definition } of indexes) yield statement(String(definition))
  if (limit === null) yield statement(`DROP TABLE ${EARLIER_PART}`)
  else {
    yield statement(
      `ALTER TABLE audit ATTACH PARTITION ${EARLIER_PART} FOR VALUES FROM (MINVALUE) TO (${limit})`,
    )
    yield statement(`ALTER TABLE ${EARLIER_PART} DROP CONSTRAINT ${LIMIT}`)
  }
  yield statement(`CREATE TABLE ${DEFAULT_PART} PARTITION OF audit DEFAULT`)
  yield* addDays(yield* databaseNow())
}

const earlierName = (index: string): string => index.replace(/^audit/, EARLIER_PART)

/** Makes the audit one table again, so that it can be distributed over several servers. */
export function* mergeAudit(): Transaction<void> {
  if (!(yield* isPartitioned())) return
  const indexes = yield statement(
    `SELECT pg_get_indexdef(indexrelid) AS definition FROM pg_index WHERE indrelid = 'audit'::regclass`,
  )
  yield statement('CREATE TABLE audit_merged (LIKE audit INCLUDING DEFAULTS)')
  yield statement('INSERT INTO audit_merged SELECT * FROM audit')
  yield statement('DROP TABLE audit')
  yield statement('ALTER TABLE audit_merged RENAME TO audit')
  for (const { definition } of indexes) yield statement(String(definition).replace(/ ON ONLY /, ' ON '))
}
