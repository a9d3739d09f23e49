/** Reads on PostgreSQL: one snapshot per transaction, read-only. Exports may read a standby. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { REPLICA_MS } from '../../../base/limits/operation.ts'
import { runnerOf, sqlFor } from '../sql.ts'
import type { Reader, Verb } from '../store.ts'
import { coordinatorOf, metMove, onCoordinator } from './citus/cluster.ts'
import { unmoved } from './citus/unmoved.ts'
import { readClock } from './clock.ts'
import { pooled } from './connection.ts'
import { openReplica } from './replica.ts'
import { runnerOn } from './run.ts'

/** On a cluster each server has a snapshot of its own. Rejects if the database cannot be reached. */
export async function readPostgres(url: string): Promise<Reader> {
  const { isCluster, pool } = await readingPool(url)
  const sql = sqlFor('postgres', readClock, undefined, isCluster ? onCoordinator : {})
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'
  const run = isCluster
    ? unmoved(runnerOn(pool, { begin, isPassing: metMove }), runnerOn(pool, {}))
    : runnerOn(pool, { begin })
  return { ...runnerOf(sql, run), close: () => pool.end() }
}

/** Connections to the server, or to the coordinator of the cluster that it belongs to. */
async function readingPool(url: string): Promise<{ readonly pool: Pool; readonly isCluster: boolean }> {
  const pool = pooled(url)
  const run = runnerOn(pool, {})
  const coordinatorUrl = await run(() => coordinatorOf(url)).catch(async (error) => {
    await pool.end()
    throw error
  })
  if (coordinatorUrl === null || coordinatorUrl === url) return { pool, isCluster: coordinatorUrl !== null }
  await pool.end()
  return { pool: pooled(coordinatorUrl), isCluster: true }
}

const PAUSE_MS = 100

interface StandbyReads<Result> {
  /** Reads on the standby; if it fails later, on the primary, which has all rows that the standby has shown. */
  readonly reads: Reader
  /** The result of the first read. */
  readonly first: Result
  readonly lagMs: number
}

/**
 * The reads of an export on a standby; null if it cannot be used.
 * @param position the position of the primary's log
 * @param verb the first read
 */
export async function readReplica<Result>(
  url: string,
  own: Reader,
  position: () => Promise<string>,
  verb: Verb<[], Result>,
): Promise<StandbyReads<Result> | null> {
  const replica = openReplica(url, position)
  const deadline = performance.now() + REPLICA_MS.wait
  let first = await replica.read(verb)
  while (first === null && performance.now() < deadline) {
    await sleep(PAUSE_MS)
    first = await replica.read(verb)
  }
  if (first === null) {
    await replica.close()
    return null
  }
  const reads: Reader = {
    async run(verb, ...args) {
      const read = await replica.read((sql) => verb(sql, ...args))
      return read === null ? await own.run(verb, ...args) : read.result
    },
    close: () => replica.close(),
  }
  return { reads, first: first.result, lagMs: first.lagMs }
}
