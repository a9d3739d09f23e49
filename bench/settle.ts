/** The ledger alone: settlements per second, the latency that metering adds to a call, and its bytes on disk. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { computations } from '../src/compute/computations.ts'
import { type JoinedResult, joinedResult } from '../src/compute/result.ts'
import { Failure } from '../src/failure.ts'
import { type Meter, openMeter } from '../src/metering/meter.ts'
import { admitAndSettle } from '../src/pipeline/settle.ts'
import { digest } from '../src/proofs/hash.ts'
import { openPostgres } from '../src/store/postgres/open.ts'
import { openSqlite } from '../src/store/sqlite/open.ts'
import type { Store } from '../src/store/store.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../test/support/plain-sql.ts'
import { createDatabase, startPostgres } from '../test/support/postgres.ts'
import { accountsOf, noRefunds } from './payers.ts'
import { keep, median, type Row, type Series } from './record.ts'
import { callOf, PATH, type Payer, settledPerSecond } from './settlements.ts'

const CONCURRENCIES = [1, 8, 64, 256]
const ROUNDS = 3
const METERED_CALLS = 3_000
const BODY = Buffer.from(
  '{"spot":100,"strike":105,"risk_free_rate":0.03,"volatility":0.2,"time_to_maturity":0.5,"option_type":"put"}',
)

interface Database {
  readonly name: string
  readonly store: Store
  readonly sql: PlainSql
  /** Bytes of the audit table and its indexes. */
  bytes(): Promise<{ table: number; indexes: number }>
}

async function measure(database: Database): Promise<{ rows: Row[]; series: Series[] }> {
  const { name, sql, store } = database
  const accounts = await accountsOf(store, sql)
  const meter = openMeter(store, noRefunds)
  const rates: [number, number][] = []
  for (const concurrency of CONCURRENCIES) {
    const rounds: number[] = []
    for (let round = 0; round < ROUNDS; round++)
      rounds.push((await settledPerSecond(meter, accounts, concurrency)).perSecond)
    rates.push([concurrency, median(rounds)])
  }
  const added = await metering(meter, accounts)
  const { count } = (await sql.query<{ count: number }>('SELECT count(*) AS count FROM audit'))[0]
  const { indexes, table } = await database.bytes()
  const row = (id: string, work: string, measured: number, unit: Row['unit'], note: string): Row => ({
    ...{ id: `settle-${name}-${id}`, work, against: 'the same call unmetered', goal: null, measured, unit },
    ...{ ours: null, theirs: null, note },
  })
  return {
    rows: [
      row(
        'p50',
        `${name}: p50 that metering adds to a single Black–Scholes call`,
        added.p50,
        'ms',
        added.note,
      ),
      row(
        'p99',
        `${name}: p99 that metering adds to a single Black–Scholes call`,
        added.p99,
        'ms',
        added.note,
      ),
      row(
        'bytes',
        `${name}: disk of a million calls, audit table and indexes`,
        (table + indexes) / count,
        'MB',
        `${(table / count).toFixed(0)} bytes a row, ${(indexes / count).toFixed(0)} of indexes, over ${count} rows`,
      ),
    ],
    series: [{ name: `${name}: settlements/s by concurrency`, points: rates }],
  }
}

/** Runs the same call alternately with and without its settlement. */
async function metering(meter: Meter, accounts: readonly Payer[]) {
  const computation = computations({}).get(PATH)!
  const [plain, metered]: [number[], number[]] = [[], []]
  for (let i = 0; i < 2 * METERED_CALLS; i++) {
    const started = performance.now()
    const job = computation.read(BODY)
    const result = job instanceof Failure ? job : job.run()
    if (result instanceof Failure) throw new Error('the example was refused')
    const outcome = joinedResult(result) as JoinedResult
    if (i % 2 === 1)
      await admitAndSettle(meter, callOf(accounts[i % accounts.length]), outcome, started, digest(BODY))
    ;(i % 2 === 1 ? metered : plain).push(performance.now() - started)
  }
  const at = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(share * times.length)]
  const figures = (times: number[]) =>
    `p50 ${at(times, 0.5).toFixed(3)} ms, p99 ${at(times, 0.99).toFixed(3)} ms`
  return {
    p50: at(metered, 0.5) - at(plain, 0.5),
    p99: at(metered, 0.99) - at(plain, 0.99),
    note: `metered ${figures(metered)}; unmetered ${figures(plain)}`,
  }
}

async function onSqlite(folder: string): Promise<Database> {
  const file = join(folder, 'quantd.db')
  const store = openSqlite({ file })
  const sql = sqliteSql(file)
  const pages = async (like: string) => {
    const [row] = await sql.query<{ bytes: number }>(
      `SELECT sum(pgsize) AS bytes FROM dbstat WHERE name ${like}`,
    )
    return row!.bytes
  }
  return {
    name: 'SQLite',
    store,
    sql,
    bytes: async () => ({
      table: await pages(`= 'audit'`),
      indexes: await pages(`IN (SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'audit')`),
    }),
  }
}

async function onPostgres(adminUrl: string): Promise<Database> {
  const url = await createDatabase(adminUrl)
  const sql = postgresSql(url)
  return {
    name: 'PostgreSQL',
    store: await openPostgres({ url }),
    sql,
    async bytes() {
      const [row] = await sql.query<{ rows: number; indexes: number }>(
        `SELECT sum(pg_relation_size(relid))::bigint AS rows, sum(pg_indexes_size(relid))::bigint AS indexes
         FROM pg_partition_tree('audit')`,
      )
      return { table: row!.rows, indexes: row!.indexes }
    },
  }
}

const folder = mkdtempSync(join(tmpdir(), 'quantd-bench-'))
const server = await startPostgres()
try {
  const parts = []
  for (const database of [await onSqlite(folder), await onPostgres(server.url)]) {
    parts.push(await measure(database))
    await database.sql.close()
    await database.store.close()
  }
  const part = {
    rounds: ROUNDS,
    conditions: `In one process, without HTTP: 64 accounts, every settlement durable; PostgreSQL on the same two cores.`,
    rows: parts.flatMap(({ rows }) => rows),
    series: parts.flatMap(({ series }) => series),
  }
  keep('settle', part)
  for (const { name, points } of part.series)
    console.log(`${name}: ${points.map(([x, y]) => `${x}: ${y.toFixed(0)}`).join(', ')}`)
  for (const row of part.rows)
    console.log(`${row.work}: ${row.measured?.toPrecision(3)} ${row.unit} (${row.note})`)
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
