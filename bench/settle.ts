/** Measures the ledger alone: settlements per second, and their bytes on disk. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMeter } from '../src/ledger/metering/meter.ts'
import { openPostgres } from '../src/ledger/store/postgres/open.ts'
import { openSqlite } from '../src/ledger/store/sqlite/open.ts'
import type { Store } from '../src/ledger/store/store.ts'
import { type PlainSql, postgresSql, sqliteSql } from '../test/support/plain-sql.ts'
import { createDatabase, startPostgres } from '../test/support/postgres.ts'
import { unpinSelf } from './machine.ts'
import { accountsOf, noRefunds } from './payers.ts'
import { keep, median, type Row, type Series } from './record.ts'
import { settledPerSecond } from './settlements.ts'

const CONCURRENCIES = [1, 8, 64, 256]
const ROUNDS = 3

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
  const { count } = (await sql.query<{ count: number }>('SELECT count(*) AS count FROM audit'))[0]
  const { indexes, table } = await database.bytes()
  return {
    rows: [
      {
        id: `settle-${name}-bytes`,
        work: `${name}: disk of a million calls, audit table and indexes`,
        against: '–',
        goal: null,
        measured: (table + indexes) / count,
        unit: 'MB',
        ours: null,
        theirs: null,
        note: `${(table / count).toFixed(0)} bytes a row, ${(indexes / count).toFixed(0)} of indexes, over ${count} rows`,
      },
    ],
    series: [{ name: `${name}: settlements/s by concurrency`, points: rates }],
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

unpinSelf()
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
