/**
 * `npm run bench audit-growth`: whether a growing audit makes calls, the history and retention slower, on one PostgreSQL. Four
 * databases of one server hold the same year of one account, and 0, 1, 10 and 100 million rows of other accounts; they are
 * measured in turn. Needs 45 GB of disk; QUANTD_BENCH_ROWS limits the rows. QUANTD_BENCH_SERVER names a separate server, which
 * keeps the databases for the next run.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type UsageQuery, usagePage } from '../src/accounts/usage-pages.ts'
import { usageSums } from '../src/accounts/usage-sums.ts'
import { tidy } from '../src/app/main/clean-up.ts'
import { type Meter, openMeter } from '../src/ledger/metering/meter.ts'
import { openPostgres } from '../src/ledger/store/postgres/open.ts'
import type { Store } from '../src/ledger/store/store.ts'
import { settle } from '../src/serve/pipeline/settle.ts'
import { type PlainSql, postgresSql } from '../test/support/plain-sql.ts'
import { startPostgres } from '../test/support/postgres.ts'
import { treeSeconds } from '../test/support/processes.ts'
import { accountsOf, noRefunds } from './payers.ts'
import { type Figures, keep, median, type Row, ratioRow, type Series } from './record.ts'
import { callOf, PATH, type Payer, paid, request, settledPerSecond } from './settlements.ts'

const DAY_MS = 86_400_000
const DAYS = 365
/** Rows a day of the account whose history is read. */
const OWN_A_DAY = 30
const OTHER_ACCOUNTS = 10_000
const MOST_ROWS = Number(process.env.QUANTD_BENCH_ROWS ?? 100_000_000)
const SIZES = [0, 1_000_000, 10_000_000, 100_000_000].map((size) => Math.min(size, MOST_ROWS))
const FILLERS = 2
const ROUNDS = 9
const READS = 60
const ALONE = 60
const CONCURRENT = 64
const ANALYSED = 'SET LOCAL default_statistics_target = 10'

const today = Math.floor(Date.now() / DAY_MS) * DAY_MS

interface Side {
  readonly others: number
  readonly rows: number
  readonly store: Store
  readonly sql: PlainSql
  readonly meter: Meter
  readonly payers: readonly Payer[]
  readonly reader: number
  /** The request id of a call of half a year ago. */
  readonly requestId: string
}

/** SQL for a day's rows of one account and of others, in the order of their times; every 20th has the request id of a caller. */
const rowsOfDay = (table: string, day: number, reader: number, others: number): string => `
  INSERT INTO ${table} (id, at, account_id, key_id, kind, method, path, status, credits, calls, ip, request_id, duration_ms, replayed)
  SELECT id, at, account_id, account_id, 'computation', 'POST',
    CASE n % 10 WHEN 0 THEN '/quantlib/economics/utility/log' ELSE '${PATH}' END,
    CASE n % 50 WHEN 0 THEN 422 ELSE 200 END, CASE n % 50 WHEN 0 THEN 0 ELSE 1 END, 1, '203.0.113.77',
    CASE n % 20 WHEN 0 THEN 'request-' || n ELSE id END, 1, 0
  FROM (
    SELECT n, at, CASE WHEN n <= ${OWN_A_DAY} THEN ${reader} ELSE ${reader} + 1 + (n * 7919::bigint) % ${OTHER_ACCOUNTS} END AS account_id,
      substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7' || substr(hash, 1, 3) || '-8' || substr(hash, 4, 3) || '-' || substr(hash, 7, 12) AS id
    FROM (
      SELECT n, at, lpad(to_hex(at), 12, '0') AS hex, md5(at::text || n) AS hash
      FROM (
        SELECT n, CASE WHEN n <= ${OWN_A_DAY} THEN ${day} + n * ${DAY_MS / OWN_A_DAY - 1_000}
          ELSE ${day} + ((n - ${OWN_A_DAY}) * ${DAY_MS - 1}::bigint) / ${Math.max(1, others)} END AS at
        FROM generate_series(1, ${OWN_A_DAY + others}) AS n) AS times) AS hashes) AS ids
  ORDER BY at`

/** Fills, indexes and attaches a day's partition; a partition that the service has made already is only filled. */
async function fillDay(client: pg.Client, day: number, reader: number, others: number): Promise<void> {
  const table = `audit_${new Date(day).toISOString().slice(0, 10).replaceAll('-', '')}`
  const { rows } = await client.query('SELECT to_regclass($1) AS made', [table])
  await client.query('BEGIN')
  await client.query(ANALYSED)
  if (rows[0].made !== null) await client.query(rowsOfDay(table, day, reader, others))
  else {
    const [from, to] = [day, day + DAY_MS]
    await client.query(
      `CREATE TABLE ${table} (LIKE audit INCLUDING DEFAULTS, CONSTRAINT of_day CHECK (at >= ${from} AND at < ${to}))`,
    )
    await client.query(rowsOfDay(table, day, reader, others))
    const indexes = await client.query(
      "SELECT pg_get_indexdef(indexrelid) AS text FROM pg_index WHERE indrelid = 'audit'::regclass",
    )
    for (const { text } of indexes.rows)
      await client.query(text.replace(/INDEX \w+ ON ONLY \S+/, `INDEX ON ${table}`))
    await client.query(`ALTER TABLE audit ATTACH PARTITION ${table} FOR VALUES FROM (${from}) TO (${to})`)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT of_day`)
  }
  await client.query(`ANALYZE ${table}`)
  await client.query('COMMIT')
}

async function fill(url: string, reader: number, others: number): Promise<void> {
  const days = Array.from({ length: DAYS }, (_, n) => today - n * DAY_MS)
  const startedAt = performance.now()
  const filler = async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query("SET maintenance_work_mem = '256MB'")
    for (let day = days.shift(); day !== undefined; day = days.shift()) {
      // The rows of today are moved to an earlier day, so that none lies in the future.
      await fillDay(client, day === today ? day - DAYS * DAY_MS : day, reader, Math.floor(others / DAYS))
      if (days.length % 50 === 0)
        console.log(
          `${others}: ${days.length} days left after ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
        )
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: FILLERS }, filler))
}

/** The database with this number of rows of other accounts; made and filled unless the server has it. */
async function database(adminUrl: string, others: number): Promise<{ url: string; isFilled: boolean }> {
  const name = `audit_growth_${others}`
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  const admin = postgresSql(adminUrl)
  const [found] = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (found === undefined) await admin.query(`CREATE DATABASE ${name}`)
  return { url: url.href, isFilled: found !== undefined }
}

async function open(adminUrl: string, others: number): Promise<Side> {
  const { isFilled, url } = await database(adminUrl, others)
  const [store, sql] = [await openPostgres({ url }), postgresSql(url)]
  if (!isFilled) {
    await accountsOf(store, sql)
    await sql.query(
      `INSERT INTO accounts (uid, tier, balance, created_at)
       SELECT 'filled ' || n, 'free', 0, 0 FROM generate_series(0, ${OTHER_ACCOUNTS}) AS n ORDER BY n`,
    )
  }
  const keys = await sql.query<Payer>('SELECT account_id AS "accountId", id AS "keyId" FROM api_keys')
  const [first] = await sql.query<{ id: number }>("SELECT id FROM accounts WHERE uid = 'filled 0'")
  const reader = first!.id
  if (!isFilled) await fill(url, reader, others)
  const halfAYear = today - 182 * DAY_MS
  const [row] = await sql.query<{ id: string }>(
    `SELECT id FROM audit WHERE account_id = $1 AND kind = 'computation' AND request_id = id
     AND at >= ${halfAYear} AND at < ${halfAYear + DAY_MS} LIMIT 1`,
    [reader],
  )
  return {
    others,
    rows: DAYS * (OWN_A_DAY + Math.floor(others / DAYS)),
    store,
    sql,
    payers: keys,
    reader,
    requestId: row!.id,
    meter: openMeter(store, noRefunds),
  }
}

type Measured = Record<string, number>

const QUERIES: Readonly<Record<string, (side: Side) => Partial<UsageQuery>>> = {
  'history, first page': () => ({}),
  'history, page of 300 days ago': () => ({ before: { at: today - 300 * DAY_MS, id: 'z' } }),
  'history by path': () => ({ filter: { path: '/quantlib/economics/utility/log' } }),
  'history of a day': () => ({ filter: { range: { from: today - 200 * DAY_MS, to: today - 199 * DAY_MS } } }),
  'history by request id': ({ requestId }) => ({ filter: { requestId } }),
}

/** The works that the chart shows. */
const DRAWN = [
  ...['processor time of a call, PostgreSQL', 'a call alone, p50', 'history, first page'],
  ...['history, page of 300 days ago', 'summary by day and endpoint'],
]

/** The median time of each side; the sides take turns after every read, so that a busy moment affects all of them. */
async function msOf(
  sides: readonly Side[],
  count: number,
  work: (side: Side, n: number) => Promise<unknown>,
) {
  const times = sides.map((): number[] => [])
  for (let n = 0; n < count; n++)
    for (const [index, side] of sides.entries()) {
      const startedAt = performance.now()
      await work(side, n)
      times[index].push(performance.now() - startedAt)
    }
  return times.map(median)
}

async function processorTimes(side: Side, server: number): Promise<Measured> {
  const cost = () => {
    const { system, user } = process.cpuUsage()
    return { quantd: (system + user) / 1e6, server: treeSeconds(server) }
  }
  const before = cost()
  const { settled } = await settledPerSecond(side.meter, side.payers, CONCURRENT)
  const after = cost()
  return {
    'processor time of a call, quantd': (1_000 * (after.quantd - before.quantd)) / settled,
    'processor time of a call, PostgreSQL': (1_000 * (after.server - before.server)) / settled,
  }
}

/** Admits and settles a call, in one transaction. */
const paidCall = (meter: Side['meter'], payer: Payer) =>
  settle(meter, {
    call: callOf(payer),
    admission: null,
    outcome: paid,
    request,
    startedAt: performance.now(),
  })

/** The figures of one round, by side. */
async function round(sides: readonly Side[], server: number): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const side of sides) measured.push(await processorTimes(side, server))
  const add = (name: string, found: readonly number[]) => {
    for (const [index, ms] of found.entries()) measured[index][name] = ms
  }
  const call = ({ meter, payers }: Side, n: number) => paidCall(meter, payers[n % payers.length])
  add('a call alone, p50', await msOf(sides, ALONE, call))
  for (const [name, queryOf] of Object.entries(QUERIES)) {
    const read = (side: Side) => {
      const query = { accountId: side.reader, limit: 50, before: null, filter: {}, ...queryOf(side) }
      return usagePage(side.store, query)
    }
    add(name, await msOf(sides, READS, read))
  }
  const sums = ({ reader, store }: Side) => store.run(usageSums, reader)
  add('summary by day and endpoint', await msOf(sides, READS, sums))
  return measured
}

/** Drops the oldest day while calls go on; the slowest of them shows for how long it locks. */
async function retention(side: Side): Promise<{ ms: number; slowest: number }> {
  const [payer] = side.payers
  let [isDropping, slowest] = [true, 0]
  const calls = (async () => {
    while (isDropping) {
      const startedAt = performance.now()
      await paidCall(side.meter, payer!)
      slowest = Math.max(slowest, performance.now() - startedAt)
    }
  })()
  const [oldest] = await side.sql.query<{ at: number }>('SELECT min(at)::float8 AS at FROM audit')
  await sleep(200)
  const startedAt = performance.now()
  const tidied = await tidy(side.store, Date.now() - oldest!.at - DAY_MS)
  const ms = performance.now() - startedAt
  isDropping = false
  await calls
  console.log(
    `${side.rows}: dropped ${tidied?.auditRows} rows in ${ms.toFixed(0)} ms; slowest call ${slowest.toFixed(1)} ms`,
  )
  return { ms, slowest }
}

/** A new server that writes no log of the rows that fill a new table. */
async function startServer(): Promise<{ url: string; stop(): Promise<void> }> {
  const postgres = await startPostgres()
  const admin = postgresSql(postgres.url)
  for (const setting of [
    ...['wal_level = minimal', 'max_wal_senders = 0', "max_wal_size = '8GB'", 'autovacuum = off'],
    "checkpoint_timeout = '30min'",
  ])
    await admin.query(`ALTER SYSTEM SET ${setting}`)
  postgres.kill9()
  await postgres.start()
  return postgres
}

const given = process.env.QUANTD_BENCH_SERVER
const postgres = given === undefined ? await startServer() : { url: given, stop: async () => undefined }
try {
  const [file] = await postgresSql(postgres.url).query<{ text: string }>(
    "SELECT pg_read_file('postmaster.pid') AS text",
  )
  const server = Number.parseInt(file!.text, 10)
  const sides: Side[] = []
  for (const others of [...new Set(SIZES)]) sides.push(await open(postgres.url, others))
  await round(sides, server)
  const found: Measured[][] = []
  for (let number = 0; number < ROUNDS; number++) found.push(await round(sides, server))
  const names = Object.keys(found[0][0])
  const figures = (index: number, name: string): Figures => ({
    unit: 'ms',
    rounds: found.map((one) => one[index][name]),
  })
  const last = sides.length - 1
  const rows: Row[] = names.map((name) =>
    ratioRow(
      {
        id: `audit-growth ${name}`,
        work: name,
        against: 'the same account alone in the audit',
        goal: { is: 'at most', value: 1.1 },
      },
      figures(last, name),
      figures(0, name),
    ),
  )
  const series: Series[] = DRAWN.map((name) => ({
    name: `${name}, ms`,
    points: sides.map((side, index) => [side.rows, median(figures(index, name).rounds)] as const),
  }))
  const drops = []
  for (const side of sides) drops.push([side.rows, await retention(side)] as const)
  series.push({
    name: 'retention drops a day, ms',
    points: drops.map(([count, { ms }]) => [count, ms] as const),
  })
  const slowest = Math.max(...drops.map(([, drop]) => drop.slowest))
  keep('audit-growth', {
    rounds: ROUNDS,
    conditions: `Measured without HTTP, on one PostgreSQL with rows of ${DAYS} days. Values are medians of ${ROUNDS} rounds, in which the sizes took turns. While a day was dropped, the slowest call took ${slowest.toFixed(0)} ms.`,
    rows,
    series,
  })
  for (const { measured, work } of rows) console.log(`${measured?.toFixed(3)} × ${work}`)
  for (const { name, points } of series)
    console.log(name, points.map(([x, y]) => `${x}: ${y.toFixed(3)}`).join(', '))
  for (const side of sides) await side.store.close()
} finally {
  await postgres.stop()
}
