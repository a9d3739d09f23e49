/** Reads for the administration, in read-only transactions that hold up no writer. */
import Database from 'better-sqlite3'
import { pooled } from './postgres/connection.ts'
import { NOW } from './postgres/statements.ts'
import { type Row, type Sql, type Statement, sqlFor, type Transaction } from './sql.ts'
import type { AdminReads } from './store.ts'
import { auditPage, newestAudit, refusalPage } from './verbs/admin-audit.ts'
import { checkLedger } from './verbs/admin-books.ts'
import { codeCounts, secretCounts, secretsPage } from './verbs/admin-secrets.ts'
import { accountsPage, accountView } from './verbs/admin-views.ts'
import type { Run } from './verbs/index.ts'

export interface AdminReader extends AdminReads {
  close(): Promise<void>
}

const reads = {
  accountsPage,
  accountView,
  auditPage,
  checkLedger,
  codeCounts,
  newestAudit,
  refusalPage,
  secretCounts,
  secretsPage,
}

export function readSqlite(file: string): AdminReader {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: 5_000 })
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [Date.now()] }))
  const execute = ({ parameters, sql }: Statement) => db.prepare(sql).all(parameters) as Row[]
  const run: Run = async (transaction) => db.transaction(() => runToEnd(transaction(), execute))()
  return {
    ...bound(sql, run),
    close: async () => {
      db.close()
    },
  }
}

export function readPostgres(url: string): AdminReader {
  const pool = pooled(url)
  const sql = sqlFor('postgres', () => ({ sql: `SELECT ${NOW} AS now`, parameters: [] }))
  const run: Run = async (transaction) => {
    const client = await pool.connect()
    let isLost = true
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
      const steps = transaction()
      let step = steps.next()
      while (!step.done) {
        const { parameters, sql } = step.value
        step = steps.next((await client.query(sql, parameters as unknown[])).rows)
      }
      await client.query('COMMIT')
      isLost = false
      return step.value
    } finally {
      client.release(isLost)
    }
  }
  return { ...bound(sql, run), close: () => pool.end() }
}

function runToEnd<Result>(steps: Transaction<Result>, execute: (statement: Statement) => Row[]): Result {
  let step = steps.next()
  while (!step.done) step = steps.next(execute(step.value))
  return step.value
}

function bound(sql: Sql, run: Run): AdminReads {
  const entries = Object.entries(reads).map(([name, read]) => [
    name,
    (argument: unknown) =>
      run(() => (read as (sql: Sql, argument: unknown) => Transaction<unknown>)(sql, argument)),
  ])
  return Object.fromEntries(entries) as AdminReads
}
