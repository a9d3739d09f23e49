/** Reads on SQLite beside the service: a read-only connection, one snapshot per transaction. */
import Database from 'better-sqlite3'
import { SQLITE_LOCK_MS } from '../../../base/limits/operation.ts'
import { runnerOf, sqlFor } from '../sql.ts'
import type { Reader } from '../store.ts'
import { stepRunner } from './run.ts'

export function readSqlite(file: string): Reader {
  const db = new Database(file, { readonly: true, fileMustExist: true, timeout: SQLITE_LOCK_MS.reader })
  const sql = sqlFor('sqlite', () => ({ sql: 'SELECT ? AS now', parameters: [Date.now()] }))
  const runSteps = stepRunner(db)
  return {
    ...runnerOf(sql, async (transaction) => db.transaction(() => runSteps(transaction()))()),
    close: async () => {
      db.close()
    },
  }
}
