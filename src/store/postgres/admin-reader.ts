/** The admin reader on PostgreSQL: one snapshot per transaction, read-only. */
import { methodsOf } from '../methods.ts'
import { sqlFor } from '../sql.ts'
import type { AdminReader } from '../store.ts'
import { adminReads } from '../verbs/index.ts'
import { sharding } from './citus/sharding.ts'
import { poolOf } from './pool.ts'
import { runnerOn } from './run.ts'
import { NOW } from './statements.ts'

/** On a Citus cluster each server has a snapshot of its own. Rejects if the database cannot be reached. */
export async function readPostgres(url: string): Promise<AdminReader> {
  const { coordinatorUrl, pool } = await poolOf(url)
  const clock = () => ({ sql: `SELECT ${NOW} AS now`, parameters: [] })
  const sql = sqlFor('postgres', clock, coordinatorUrl === null ? null : sharding)
  const run = runnerOn(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  return { ...methodsOf(adminReads, sql, run), close: () => pool.end() }
}
