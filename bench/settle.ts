/** The ledger alone: settlements per second, the latency that metering adds to a call, and its bytes on disk. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { computations } from '../src/compute/computations.ts'
import { Failure } from '../src/errors.ts'
import { type LedgerMeter, type Meter, openMeter } from '../src/metering/meter.ts'
import { answerEntries } from '../src/metering/remote-meter.ts'
import { admitAndSettle } from '../src/pipeline/settle.ts'
import { openPostgres } from '../src/store/postgres/open.ts'
import { openSqlite } from '../src/store/sqlite/open.ts'
import type { Store } from '../src/store/store.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../test/support/plain-sql.ts'
import { createDatabase, startPostgres } from '../test/support/postgres.ts'
import { SERVER_CORE } from './machine.ts'
import { accountsOf, noRefunds } from './payers.ts'
import { keep, median, type Row, type Series } from './record.ts'
import { callOf, PATH, type Payer, settledPerSecond } from './settlements.ts'

const CONCURRENCIES = [1, 8, 64, 256]
const ROUNDS = 3
/** Calls in progress of the sender: those of several serving processes together, enough to keep the writer busy. */
const CALLS_OF_SENDER = 2_048
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
  const writing: Writing[] = []
  for (let round = 0; round < ROUNDS; round++) writing.push(await writerAlone(meter, accounts))
  const { count } = (await sql.query<{ count: number }>('SELECT count(*) AS count FROM audit'))[0]!
  const { indexes, table } = await database.bytes()
  const row = (id: string, work: string, measured: number, unit: Row['unit'], note: string): Row => ({
    ...{ id: `settle-${name}-${id}`, work, against: 'the same call unmetered', goal: null, measured, unit },
    ...{ ours: null, theirs: null, note },
  })
  const perCall = (name: 'micros' | 'thread') => median(writing.map((one) => one[name])).toFixed(1)
  return {
    rows: [
      {
        id: `settle-${name}-writer`,
        work: `${name}: settlements of one writer, sent by another process as with QUANTD_PROCESSES`,
        against: '–',
        goal: name === 'SQLite' ? { is: 'at least', value: 60_000 } : null,
        measured: median(writing.map(({ perSecond }) => perSecond)),
        unit: '/s',
        ours: null,
        theirs: null,
        note: `${CALLS_OF_SENDER} calls in progress; the writer on one core, the sender on the other. Processor time of the writer: ${perCall('micros')} µs a call, ${perCall('thread')} µs of them on its event loop.`,
      },
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
    const outcome = { ...result, body: result.pieces.join('') }
    if (i % 2 === 1) await admitAndSettle(meter, callOf(accounts[i % accounts.length]!), outcome, started)
    ;(i % 2 === 1 ? metered : plain).push(performance.now() - started)
  }
  const at = (times: number[], share: number) =>
    times.toSorted((a, b) => a - b)[Math.floor(share * times.length)]!
  const figures = (times: number[]) =>
    `p50 ${at(times, 0.5).toFixed(3)} ms, p99 ${at(times, 0.99).toFixed(3)} ms`
  return {
    p50: at(metered, 0.5) - at(plain, 0.5),
    p99: at(metered, 0.99) - at(plain, 0.99),
    note: `metered ${figures(metered)}; unmetered ${figures(plain)}`,
  }
}

interface Writing {
  readonly perSecond: number
  /** Processor time of this process for a call, and of its event loop alone. */
  readonly micros: number
  readonly thread: number
}

/** Entries of another process, on the core of the servers, while this process only writes. */
async function writerAlone(meter: LedgerMeter, accounts: readonly Payer[]): Promise<Writing> {
  const file = join(import.meta.dirname, 'settlements.ts')
  const order = JSON.stringify({ accounts, concurrency: CALLS_OF_SENDER })
  const [before, threadBefore] = [process.cpuUsage(), process.threadCpuUsage()]
  const child = spawn('taskset', ['-c', SERVER_CORE, process.execPath, file, order], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  answerEntries(meter, child.stdio[3] as Duplex)
  let text = ''
  child.stdout!.setEncoding('utf8').on('data', (piece: string) => {
    text += piece
  })
  await once(child, 'close')
  const { perSecond, settled } = JSON.parse(text) as Awaited<ReturnType<typeof settledPerSecond>>
  const [all, thread] = [process.cpuUsage(before), process.threadCpuUsage(threadBefore)]
  const perCall = ({ system, user }: NodeJS.CpuUsage): number => (user + system) / settled
  return { perSecond, micros: perCall(all), thread: perCall(thread) }
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
