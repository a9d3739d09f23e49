/** Plain SQL on the database of a running service, as an administrator's tool would read and write it. */
import Database from 'better-sqlite3'
import { PrimaryClient, primaryOf } from '../../src/ledger/store/postgres/primary.ts'
import { until } from './until.ts'

export interface PlainSql {
  /** `$1`, `$2` … stand for the parameters, in order. A big integer comes back as a number. */
  query<Row = Record<string, unknown>>(sql: string, parameters?: readonly unknown[]): Promise<Row[]>
  close(): Promise<void>
}

const BUSY_MS = 10_000

export function sqliteSql(file: string): PlainSql {
  const db = new Database(file, { timeout: BUSY_MS })
  return {
    async query(sql, parameters = []) {
      const statement = db.prepare(sql.replace(/\$\d+/g, '?'))
      if (statement.reader) return statement.all(parameters) as never[]
      statement.run(parameters)
      return []
    },
    async close() {
      db.close()
    },
  }
}

/** Uses a new connection for each statement, because the server may have been killed since the one before. */
export function postgresSql(url: string): PlainSql {
  return {
    async query(sql, parameters = []) {
      const primary = primaryOf(url)
      const client = new PrimaryClient({ connectionString: primary.url, primary })
      client.on('error', () => undefined)
      await client.connect()
      try {
        return (await client.query(sql, [...parameters])).rows.map(numbered)
      } finally {
        await client.end()
      }
    },
    async close() {},
  }
}

/** The driver gives 64-bit integers as text; those of the ledger stay well below 2^53. */
const numbered = (row: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' && /^-?\d{1,15}$/.test(value) && !TEXT.has(name) ? Number(value) : value,
    ]),
  ) as never

/** Columns of text that may hold digits alone. */
const TEXT = new Set(['request_id', 'idempotency_key'])

/** Repeats a statement that a busy machine did not answer in time, or that Citus cancelled for a deadlock with a writer. */
export async function insist<Row>(url: string, text: string): Promise<Row[]> {
  const sql = postgresSql(url)
  let [rows, failure]: [Row[], unknown] = [[], null]
  const isAnswered = () =>
    sql.query<Row>(text).then(
      (found) => {
        rows = found
        return true
      },
      (error) => {
        failure = error
        return false
      },
    )
  await until(isAnswered, text).catch(() => {
    throw failure
  })
  return rows
}
