/** The Store in PostgreSQL, which any number of nodes share. */
import { DatabaseError } from 'pg'
import { defaultTiers, type Tiers } from '../../ledger/tiers.ts'
import type { Entry } from '../../ledger/types.ts'
import { methodsOf, queued, type Run } from '../methods.ts'
import { migrations, migrationsTable } from '../migrations/index.ts'
import { NotCommitted } from '../outcomes.ts'
import { type Sql, sqlFor, type Transaction } from '../sql.ts'
import type { Store } from '../store.ts'
import { type Tidied, verbs } from '../verbs/index.ts'
import { replication } from '../verbs/replication.ts'
import { tidy } from '../verbs/tidy.ts'
import { addDays, databaseNow, dropDay, isDue, isPartitioned, startOfDay } from './audit-days.ts'
import { coordinator, urlOf } from './citus/cluster.ts'
import { distribute } from './citus/distribute.ts'
import { citus } from './citus/open.ts'
import { readClock, steadyClock } from './clock.ts'
import { ofOneServer } from './commit.ts'
import { MAX_POOLED, patient, pipelined, pooled } from './connection.ts'
import { commitGroup, type Rules } from './group.ts'
import { lookup } from './lookup.ts'
import { usageByDays } from './newest-first.ts'
import { partitionAudit } from './partition-audit.ts'
import { refusePooler } from './pooler.ts'
import { type Primary, primaryOf } from './primary.ts'
import { runnerOn } from './run.ts'

export interface PostgresOptions {
  readonly url: string
  /** By default those of the specification. */
  readonly tiers?: Tiers
  /** Added to the database's clock; only tests set it. */
  readonly clockOffsetMs?: () => number
}

/** One of the database's advisory locks: nodes that start together migrate one after the other. */
export const MIGRATION_LOCK = 7_140_950

/** Connects and migrates. Rejects if the database cannot be reached. */
export async function openPostgres({
  url,
  tiers = defaultTiers,
  clockOffsetMs = () => 0,
}: PostgresOptions): Promise<Store> {
  const { coordinatorUrl, primary } = await prepareDatabase(url)
  const steady = steadyClock()
  const timeOf = (now: number) => steady(now + clockOffsetMs())
  const pool = pooled(primary.url, primary)
  const run = runnerOn(pool, { primary })
  const { close, sharding, ...hotPath } =
    coordinatorUrl === null
      ? oneServer({ primary, tiers, timeOf })
      : await citus(coordinatorUrl, run, { tiers, clockOffsetMs, clock: readClock, timeOf })
  const sql = sqlFor('postgres', readClock, timeOf, sharding)
  // One connection of the pool stays free for `ping`.
  const inTurn = queued(run, MAX_POOLED - 1, sharding === null ? undefined : isSilent)
  return {
    ...methodsOf(verbs, sql, inTurn),
    ...(sharding === null && byDay(primary, sql, inTurn)),
    answersAtOnce: false,
    ...hotPath,
    ping: () => run(() => replication(sql)),
    async close() {
      await Promise.all([close(), pool.end()])
    },
  }
}

/** The coordinator did not answer. If it did, with an error, a worker may have failed; the other workers have not. */
const isSilent = (error: unknown): boolean =>
  error instanceof NotCommitted && !(error.cause instanceof DatabaseError)

/** The verbs that know of the partitions of the audit. */
const byDay = (primary: Primary, sql: Sql, run: Run): Pick<Store, 'tidy' | 'usage'> => ({
  usage: (query) => usageByDays(query, (read) => run(() => read(sql))),
  async tidy(options) {
    const days = await keepDays(primary, sql, run, options).then(
      (auditRows) => ({ auditRows }),
      (error) => ({ error }),
    )
    const tidied = await run(() => tidy(sql, options))
    if ('error' in days) throw days.error
    const none: Tidied = { guests: 0, auditRows: 0, more: false }
    return tidied === null && days.auditRows === 0
      ? null
      : { ...(tidied ?? none), auditRows: (tidied?.auditRows ?? 0) + days.auditRows }
  },
})

/** Adds days to the audit, and drops those past their retention; returns the number of dropped rows. */
async function keepDays(
  primary: Primary,
  sql: Sql,
  run: Run,
  { auditRetentionMs }: { readonly auditRetentionMs: number | null },
): Promise<number> {
  const now = await run(() => sql.clock())
  if (!(await run(isPartitioned))) await starting(primary, partitionAudit)
  await run(() => addDays(now))
  if (auditRetentionMs === null) return 0
  const before = startOfDay(now - auditRetentionMs)
  if (!(await run(() => isDue(before)))) return 0
  // The sums of a day read all its rows, for which the connections of calls have no time.
  return await starting(primary, async (patiently) => {
    for (let sum = 0; ; ) {
      const rows = await patiently(() => dropDay(now, before))
      if (rows === null) return sum
      sum += rows
    }
  })
}

/** Group commits and key look-ups on a single server. */
function oneServer(rules: Rules) {
  const { primary, timeOf } = rules
  const groups = { connection: pipelined(primary.url, primary), statements: ofOneServer }
  const lookups = pipelined(primary.url, primary)
  return {
    sharding: null,
    buckets: 1,
    lookup: (hashes: readonly Uint8Array[]) => lookup(lookups, hashes, timeOf),
    commit: (entries: readonly Entry[], again: boolean) => commitGroup(groups, entries, again, rules),
    close: async () => {
      await Promise.all([groups.connection.close(), lookups.close()])
    },
  }
}

/** Migrates the database, and distributes its tables if the server belongs to a Citus cluster. */
async function prepareDatabase(
  url: string,
): Promise<{ readonly primary: Primary; readonly coordinatorUrl: string | null }> {
  const given = primaryOf(url)
  const coordinatorUrl = await starting(given, async (run) => {
    await refusePooler(run)
    const found = await run(coordinator)
    if (found === null) {
      await run(migrate)
      await partitioned(run)
    }
    return found === null ? null : urlOf(given.url, found)
  })
  if (coordinatorUrl === null) return { primary: given, coordinatorUrl }
  const primary = primaryOf(coordinatorUrl)
  await starting(primary, (run) => run(migrateCitus))
  return { primary, coordinatorUrl }
}

/** Partitions the audit, and makes the next days. Where that takes too long or another session uses it, the clean-up tries again. */
async function partitioned(run: Run): Promise<void> {
  try {
    await partitionAudit(run)
    await run(function* () {
      yield* addDays(yield* databaseNow())
    })
  } catch (error) {
    if (!(error instanceof NotCommitted)) throw error
  }
}

async function starting<Result>(primary: Primary, work: (run: Run) => Promise<Result>): Promise<Result> {
  const pool = patient(primary.url, primary)
  try {
    return await work(runnerOn(pool, { primary }))
  } finally {
    await pool.end()
  }
}

/** One transaction, so that it can be repeated. */
function* migrateCitus(): Transaction<void> {
  yield* migrate()
  yield* distribute()
}

function* migrate(): Transaction<void> {
  yield { sql: 'SELECT pg_advisory_xact_lock($1)', parameters: [MIGRATION_LOCK] }
  yield { sql: migrationsTable, parameters: [] }
  const types = {
    id: 'BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY',
    integer: 'BIGINT',
    bytes: 'BYTEA',
    updatedOften: ' WITH (fillfactor = 50)',
  }
  for (const { name, statements } of migrations) {
    const done = yield { sql: 'SELECT 1 FROM migrations WHERE name = $1', parameters: [name] }
    if (done.length > 0) continue
    for (const sql of statements(types)) yield { sql, parameters: [] }
    yield { sql: 'INSERT INTO migrations (name) VALUES ($1)', parameters: [name] }
  }
}
