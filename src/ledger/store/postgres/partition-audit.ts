/**
 * Makes the audit of a database partitioned by day, once. A large table is not rewritten: it becomes the partition of all
 * times until a day in the near future. Its rows are checked against that limit beforehand, while calls go on.
 */
import { DAY_MS, SECOND_MS } from '../../../base/time.ts'
import { DEFAULT_PART, EARLIER_PART, startOfDay } from '../audit-parts.ts'
import { type Run, statement, type Transaction } from '../sql.ts'
import { addDays, databaseNow, isPartitioned, lockParts } from './audit-days.ts'

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
