/** A database with an audit that is forged within transactions, and checked as these see it: SQLite, or a copy in PostgreSQL. */
import Database from 'better-sqlite3'
import { checkpointLines } from '../../src/ledger/receipts/checkpoint.ts'
import { type AuditCheck, checkAudit } from '../../src/ledger/receipts/verify-audit.ts'
import { pooled } from '../../src/ledger/store/postgres/connection.ts'
import { type Row as Found, type Sql, sqlFor, type Transaction } from '../../src/ledger/store/sql.ts'
import { createDatabase } from './postgres.ts'

export type Row = Record<string, string | number | Buffer | null>

interface Statements {
  /** The rows of a query, whose text has a question mark for each value. */
  all(sql: string, ...values: unknown[]): Promise<Row[]>
  run(sql: string, ...values: unknown[]): Promise<void>
  close(): Promise<void>
}

export interface ForgedDatabase extends Statements {
  readonly isSqlite: boolean
  read<Result>(transaction: (sql: Sql) => Transaction<Result>): Promise<Result>
  checked(exported: readonly string[]): Promise<AuditCheck>
  /** The lines of the exported file. */
  exported(): Promise<string[]>
}

const MOST_FAULTS = 5_000

/** @param postgresUrl of a server that gets a copy; null: the file itself */
export async function forgedDatabase(file: string, postgresUrl: string | null): Promise<ForgedDatabase> {
  const statements = postgresUrl === null ? onSqlite(file) : await copyOn(postgresUrl, file)
  const clock = () => ({ sql: `SELECT ${Date.now()} AS now`, parameters: [] })
  const sql: Sql = sqlFor(postgresUrl === null ? 'sqlite' : 'postgres', clock)
  const run = async <Result>(transaction: Transaction<Result>): Promise<Result> => {
    let step = transaction.next()
    while (!step.done) {
      const { parameters, sql } = step.value
      step = transaction.next((await statements.all(sql, ...parameters)) as Found[])
    }
    return step.value
  }
  return {
    ...statements,
    isSqlite: postgresUrl === null,
    read: (transaction) => run(transaction(sql)),
    checked: (exported) => run(checkAudit(sql, { exported, keys: null, mostFaults: MOST_FAULTS })),
    exported: async () => (await run(checkpointLines(sql, 0, 1_000_000))).map(({ line }) => line),
  }
}

function onSqlite(file: string): Statements {
  const db = new Database(file)
  const prepared = new Map<string, Database.Statement>()
  const statement = (sql: string): Database.Statement => {
    const found = prepared.get(sql) ?? db.prepare(sql)
    prepared.set(sql, found)
    return found
  }
  return {
    all: async (sql, ...values) => statement(sql).all(...values) as Row[],
    run: async (sql, ...values) => void statement(sql).run(...values),
    close: async () => void db.close(),
  }
}

const TABLES = [
  'facts',
  'signing_keys',
  'audit_streams',
  'audit_groups',
  'audit_salts',
  'checkpoints',
  'audit',
]
const ROWS_AT_ONCE = 1_000

async function copyOn(adminUrl: string, file: string): Promise<Statements> {
  const pool = pooled(await createDatabase(adminUrl))
  const client = await pool.connect()
  const all: Statements['all'] = async (sql, ...values) => {
    let place = 0
    return (
      await client.query(
        sql.replace(/\?/g, () => `$${++place}`),
        values,
      )
    ).rows
  }
  const db = new Database(file)
  for (const table of TABLES) {
    await all(`DELETE FROM ${table}`)
    const rows = db.prepare(`SELECT * FROM ${table}`).all() as Row[]
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const some = rows.slice(from, from + ROWS_AT_ONCE)
      const names = Object.keys(some[0])
      const values = some.map(() => `(${names.map(() => '?')})`)
      await all(
        `INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE VALUES ${values}`,
        ...some.flatMap((row) => Object.values(row)),
      )
    }
    await all(`ANALYZE ${table}`)
  }
  db.close()
  await all("SELECT setval(pg_get_serial_sequence('signing_keys', 'id'), max(id)) FROM signing_keys")
  return {
    all,
    run: async (sql, ...values) => void (await all(sql, ...values)),
    async close() {
      client.release()
      await pool.end()
    },
  }
}
