/** The admin reader on PostgreSQL: one snapshot per transaction, read-only. */
import { methodsOf } from '../methods.ts'
import { sqlFor } from '../sql.ts'
import type { AdminReader } from '../store.ts'
import { adminReads } from '../verbs/index.ts'
import { pooled } from './connection.ts'
import { runnerOn } from './run.ts'
import { NOW } from './statements.ts'

export function readPostgres(url: string): AdminReader {
  const pool = pooled(url)
  const sql = sqlFor('postgres', () => ({ sql: `SELECT ${NOW} AS now`, parameters: [] }))
  const run = runnerOn(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  return { ...methodsOf(adminReads, sql, run), close: () => pool.end() }
}
