/** The pool of connections for the verbs, to the right server of a Citus cluster. */
import type { Pool } from 'pg'
import { coordinator, urlOf } from './citus/cluster.ts'
import { pooled } from './connection.ts'
import { runnerOn } from './run.ts'

/**
 * To the server itself; or, if it belongs to a Citus cluster, to the cluster's coordinator. Rejects if the server cannot
 * be reached.
 */
export async function poolOf(
  url: string,
): Promise<{ readonly pool: Pool; readonly coordinatorUrl: string | null }> {
  const pool = pooled(url)
  const server = await runnerOn(pool)(coordinator).catch(async (error) => {
    await pool.end()
    throw error
  })
  if (server === null) return { pool, coordinatorUrl: null }
  await pool.end()
  const coordinatorUrl = urlOf(url, server)
  return { pool: pooled(coordinatorUrl), coordinatorUrl }
}
