/** The Store in PostgreSQL, which any number of nodes share. */
import { SPECIFIED_PLAN } from '../../../base/limits/callers.ts'
import { ANSWER_MS, POOLED_CONNECTIONS } from '../../../base/limits/operation.ts'
import type { LedgerPlan } from '../../rules/plan.ts'
import { startOfDay } from '../audit.ts'
import { migrate } from '../migrations/index.ts'
import {
  CannotConnect,
  NotCommitted,
  queued,
  type Run,
  runnerOf,
  type Sql,
  sqlFor,
  statement,
  type Transaction,
  UnusableDatabase,
} from '../sql.ts'
import type { Store } from '../store.ts'
import { connectionStreams } from '../streams.ts'
import { addDays, databaseNow, dropDay, isDue, isPartitioned, partitionAudit } from './audit-days.ts'
import { coordinatorOf, metMove, onCoordinator } from './citus/cluster.ts'
import { prepareCluster } from './citus/distribute.ts'
import { readPlaces } from './citus/places.ts'
import { openServers } from './citus/servers.ts'
import { readClock, steadyClock } from './clock.ts'
import { groupStatements, WHOLE } from './commit.ts'
import { patient, pipelined, pooled } from './connection.ts'
import { commitGroup, type HotPath, type Rules } from './group.ts'
import { askAll, byteaText, type FoundHash, findKeys, gathered } from './lookup.ts'
import { type Primary, primaryOf } from './primary.ts'
import { openProbe, runnerOn } from './run.ts'

export interface PostgresOptions {
  readonly url: string
  /** The plan, read once for each group; default: that of the specification. */
  readonly plan?: () => LedgerPlan
  /** Added to the database's clock; only tests set it. */
  readonly clockOffsetMs?: () => number
}

/** Connects and migrates. Rejects if the database cannot be reached. */
export async function openPostgres({
  url,
  plan = () => SPECIFIED_PLAN,
  clockOffsetMs = () => 0,
}: PostgresOptions): Promise<Store> {
  const { coordinatorUrl, primary } = await prepareDatabase(url)
  const steady = steadyClock()
  const timeOf = (now: number) => steady(now + clockOffsetMs())
  const isCluster = coordinatorUrl !== null
  const pool = pooled(primary.url, { primary, isCluster })
  const run = runnerOn(pool, { primary, beginMs: ANSWER_MS, ...(isCluster && { isPassing: metMove }) })
  const sql = sqlFor('postgres', readClock, timeOf, {
    lowCredits: () => plan().lowCredits,
    ...(isCluster && onCoordinator),
  })
  const streams = connectionStreams(sql, run)
  const hotPath =
    coordinatorUrl === null
      ? oneServer({ plan, primary, streams, timeOf })
      : openServers(await readPlaces(primary.url, run), { plan, streams, clockOffsetMs })
  // The probe has the place of one connection.
  const inTurn = queued(run, POOLED_CONNECTIONS - 1, isCluster ? isDown : undefined)
  const probe = openProbe(primary, inTurn)
  const runner = runnerOf(sql, inTurn)
  return {
    ...hotPath,
    ...runner,
    reads: runner,
    answersAtOnce: false,
    isByDay: sql.isByDay,
    keepDays: async (retentionMs) => (isCluster ? 0 : await keepDays(primary, sql, inTurn, retentionMs)),
    ping: probe.ping,
    async close() {
      await Promise.all([hotPath.close(), probe.close(), pool.end()])
    },
  }
}

/** Whether the coordinator itself cannot be reached. A statement may also fail because of one server, when others still answer. */
const isDown = (error: unknown): boolean => error instanceof CannotConnect

/** Adds days to the audit, and drops those past their retention; returns the number of dropped rows. */
async function keepDays(primary: Primary, sql: Sql, run: Run, retentionMs: number | null): Promise<number> {
  const now = await run(() => sql.clock())
  if (!(await run(isPartitioned))) await starting(primary, partitionAudit)
  await run(() => addDays(now))
  if (retentionMs === null) return 0
  const before = startOfDay(now - retentionMs)
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
function oneServer(rules: Rules): HotPath {
  const { primary, timeOf } = rules
  const groups = { connection: pipelined(primary.url, primary), statements: groupStatements(WHOLE) }
  const lookups = pipelined(primary.url, primary)
  const find = gathered(
    async (hashes) => (await askAll(lookups, [findKeys(hashes, WHOLE)])).flat() as FoundHash[],
    timeOf,
  )
  return {
    together: () => '',
    lookup: (hashes) => Promise.all(hashes.map((hash) => find(byteaText(hash)))),
    commit: (group) => commitGroup(groups, group, rules),
    close: async () => {
      await Promise.all([groups.connection.close(), lookups.close()])
    },
  }
}

/** Migrates the database, and distributes its tables if the server belongs to a cluster. */
async function prepareDatabase(
  url: string,
): Promise<{ readonly primary: Primary; readonly coordinatorUrl: string | null }> {
  const named = primaryOf(url)
  const coordinatorUrl = await starting(named, async (run) => {
    await refuseUnusable(run)
    const found = await run(() => coordinatorOf(url))
    if (found === null) {
      await run(refuseHalfMoved)
      await run(() => migrate({ dialect: 'postgres' }))
      await partitioned(run)
    }
    return found
  })
  if (coordinatorUrl === null) return { primary: named, coordinatorUrl }
  const primary = coordinatorUrl === url ? named : primaryOf(coordinatorUrl)
  await starting(primary, async (run) => {
    await run(refuseHalfMoved)
    await prepareCluster(run)
  })
  return { primary, coordinatorUrl }
}

/**
 * Partitions the audit, and makes the next days. Where that takes too long or another session uses it, the clean-up tries
 * again.
 */
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

/** Runs work without the short time limits of calls. */
export async function starting<Result>(
  primary: Primary,
  work: (run: Run) => Promise<Result>,
): Promise<Result> {
  const pool = patient(primary)
  try {
    return await work(runnerOn(pool, { primary }))
  } finally {
    await pool.end()
  }
}

/** The setting that connection.ts sends with each connection and that no server has by default. */
const SENT = { name: 'idle_in_transaction_session_timeout', value: '5s' }
/** PgBouncer's error for a setting in a startup packet. */
const REFUSED = /unsupported startup parameter/
/** SQL_ASCII stores bytes unchanged, and quantd sends UTF-8. */
const ENCODINGS: readonly unknown[] = ['UTF8', 'SQL_ASCII']

/**
 * Group commits rely on prepared statements and settings of their own connections. PgBouncer refuses these settings or, if
 * configured to ignore them, sends each transaction to any free connection of the server.
 * @throws UnusableDatabase
 */
export async function refuseUnusable(run: Run): Promise<void> {
  const { encoding, value } = await run(function* () {
    const [row] = yield statement(
      "SELECT current_setting($1) AS value, current_setting('server_encoding') AS encoding",
      SENT.name,
    )
    return row!
  }).catch((error: Error) => {
    if (REFUSED.test(error.message)) throw behindPooler(error.message)
    throw error
  })
  if (value !== SENT.value) throw behindPooler(`${SENT.name} is ${value}, not ${SENT.value}`)
  if (!ENCODINGS.includes(encoding))
    throw new UnusableDatabase(
      `The database in DATABASE_URL has the encoding ${encoding}, which cannot hold every name: make one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    )
}

const behindPooler = (reason: string) =>
  new UnusableDatabase(
    `DATABASE_URL leads to a connection pooler such as PgBouncer, which drops session settings and prepared statements (${reason}): name PostgreSQL itself.`,
  )

/** The fact that marks a database into which a move has begun and not ended. */
export const MOVE_MARK = 'move'

/** @throws UnusableDatabase if a move into the database runs, or was interrupted */
function* refuseHalfMoved(): Transaction<void> {
  const [facts] = yield statement("SELECT to_regclass('facts') IS NOT NULL AS exist")
  if (facts!.exist !== true) return
  const [mark] = yield statement(`SELECT value FROM facts WHERE name = '${MOVE_MARK}'`)
  if (mark !== undefined)
    throw new UnusableDatabase(
      `A move into the database in DATABASE_URL has begun (${String(JSON.parse(String(mark.value)).begun)}) and not ended: wait for its end; if it was interrupted, run \`quantd move\` again, or drop the database and make a new one.`,
    )
}
