/** The admin reader on PostgreSQL: one snapshot per transaction, read-only. Exports may read a standby. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { methodsOf } from '../methods.ts'
import { type Sql, sqlFor, type Transaction } from '../sql.ts'
import type { AdminReader } from '../store.ts'
import { adminReads } from '../verbs/index.ts'
import { coordinator, urlOf } from './citus/cluster.ts'
import { sharding } from './citus/sharding.ts'
import { readClock } from './clock.ts'
import { pooled } from './connection.ts'
import { primaryOf } from './primary.ts'
import { openReplica } from './replica.ts'
import { runnerOn } from './run.ts'

/** On a Citus cluster each server has a snapshot of its own. Rejects if the database cannot be reached. */
export async function readPostgres(url: string): Promise<AdminReader> {
  const { isSharded, pool } = await readingPool(url)
  const sql = sqlFor('postgres', readClock, undefined, isSharded ? sharding : null)
  const run = runnerOn(pool, { begin: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' })
  return { ...methodsOf(adminReads, sql, run), close: () => pool.end() }
}

/** To the server itself, or to the coordinator of the Citus cluster that it belongs to. */
async function readingPool(url: string): Promise<{ readonly pool: Pool; readonly isSharded: boolean }> {
  const pool = pooled(url)
  const server = await runnerOn(
    pool,
    {},
  )(coordinator).catch(async (error) => {
    await pool.end()
    throw error
  })
  if (server === null) return { pool, isSharded: false }
  await pool.end()
  return { pool: pooled(urlOf(primaryOf(url).url, server)), isSharded: true }
}

/** The reads of an export. */
export type ExportReader = Pick<
  AdminReader,
  'auditPage' | 'failedAttemptPage' | 'newestAudit' | 'refusalPage' | 'close'
>

/** A position of the primary's log is reached by a standby that does not lag in this time. */
const REPLICA_MS = 2_000
const PAUSE_MS = 100

/**
 * The reads of an export on a standby; null if it cannot be used. Where it fails later, the primary answers: it has all rows
 * that the standby has shown.
 * @param position the position of the primary's log
 */
export async function readReplica(
  url: string,
  own: AdminReader,
  position: () => Promise<string>,
): Promise<{ reads: ExportReader; lagMs: number } | null> {
  const replica = openReplica(url, position)
  const deadline = performance.now() + REPLICA_MS
  let newest = await replica.read(adminReads.newestAudit)
  while (newest === null && performance.now() < deadline) {
    await sleep(PAUSE_MS)
    newest = await replica.read(adminReads.newestAudit)
  }
  if (newest === null) {
    await replica.close()
    return null
  }
  const { lagMs, result } = newest
  const onReplica =
    <Query, Rows>(
      verb: (sql: Sql, query: Query) => Transaction<Rows>,
      fallback: (query: Query) => Promise<Rows>,
    ) =>
    async (query: Query): Promise<Rows> => {
      const read = await replica.read((sql) => verb(sql, query))
      return read === null ? await fallback(query) : read.result
    }
  return {
    reads: {
      // The export ends at this row, which every later page has.
      newestAudit: async () => result,
      auditPage: onReplica(adminReads.auditPage, own.auditPage),
      failedAttemptPage: onReplica(adminReads.failedAttemptPage, own.failedAttemptPage),
      refusalPage: onReplica(adminReads.refusalPage, own.refusalPage),
      close: () => replica.close(),
    },
    lagMs: lagMs!,
  }
}
