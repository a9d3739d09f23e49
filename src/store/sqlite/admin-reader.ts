/** The admin reader on SQLite: a read-only connection, one snapshot per transaction. */
import Database from 'better-sqlite3'
import { methodsOf } from '../methods.ts'
import { sqlFor } from '../sql.ts'
import type { AdminReader } from '../store.ts'
import { adminReads } from '../verbs/index.ts'
import { stepRunner } from './run.ts'

const BUSY_TIMEOUT_MS = 5_000

export function readSqlite(file: string): AdminReader {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS })
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [Date.now()] }))
  const runSteps = stepRunner(db)
  return {
    ...methodsOf(adminReads, sql, async (transaction) => db.transaction(() => runSteps(transaction()))()),
    close: async () => {
      db.close()
    },
  }
}
