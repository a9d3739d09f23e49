/** Reads on PostgreSQL, one snapshot per transaction, read-only; on a standby with a bound on how far it lags. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'pg'
import { REPLICA_MS } from '../../../base/limits/operation.ts'
import { NotCommitted, runnerOf, type Sql, sqlFor, statement, type Transaction } from '../sql.ts'
import type { Reader, Replica, Runner, Verb } from '../store.ts'
import { coordinatorOf, metMove, onCoordinator, unmoved } from './citus/cluster.ts'
import { readClock } from './clock.ts'
import { pooled } from './connection.ts'
import { serverOf } from './primary.ts'
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
 * @param verb the first read
 */
export async function readReplica<Result>(
  url: string,
  primary: Reader,
  verb: Verb<[], Result>,
): Promise<StandbyReads<Result> | null> {
  const replica = openReplica(url, primary)
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
      return read === null ? await primary.run(verb, ...args) : read.result
    },
    close: () => replica.close(),
  }
  return { reads, first: first.result, lagMs: first.lagMs }
}

/** The interval of the samples, which is the resolution of the lag. */
const SAMPLE_MS = 500

/** @param primary the database that the standby follows */
export function openReplica(url: string, primary: Runner): Replica {
  const server = serverOf(url, 'standby')
  const pool = pooled(url, { primary: server })
  const run = runnerOn(pool, { begin: 'BEGIN READ ONLY', beginMs: REPLICA_MS.begin })
  const sql = sqlFor('postgres', readClock)
  const lag = lagOf(() => primary.run(logPosition))
  // Samples are taken before any read asks for them: otherwise a standby a millisecond behind would look like one that hangs.
  const sampling = setInterval(() => lag.sample().catch(() => undefined), SAMPLE_MS).unref()
  let unusableUntil = 0
  return {
    async read(transaction) {
      if (performance.now() < unusableUntil) return null
      try {
        await lag.sample()
        return await run(function* () {
          const [state] = yield statement(REPLAYED)
          const lagMs = lag.at(state!.position)
          if (lagMs === null) throw new NotCommitted('The standby is too far behind')
          return { result: yield* transaction(sql), lagMs }
        })
      } catch (error) {
        server.forget()
        const isLag = error instanceof NotCommitted && error.cause === undefined
        if (!isLag) unusableUntil = performance.now() + REPLICA_MS.retry
        return null
      }
    },
    async close() {
      clearInterval(sampling)
      await pool.end()
    },
  }
}

/** The standby's log is applied up to here; null on a server that never was a standby. */
const REPLAYED = "SELECT pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '0/0') AS position"

/**
 * The lag by the position of the primary's log at known times: whatever was committed before the newest position that the
 * standby has applied is visible on it. Neither clocks nor PostgreSQL's own view of the replication are needed, which
 * looks up to date while the connection between the servers is cut.
 */
function lagOf(position: () => Promise<string>) {
  const samples: { readonly at: number; readonly position: bigint }[] = []
  let sampling: Promise<void> | null = null
  const take = async (): Promise<void> => {
    const at = performance.now()
    samples.push({ at, position: BigInt(await position()) })
    while (samples[0].at < at - REPLICA_MS.lag) samples.shift()
  }
  return {
    /** Makes sure that the newest sample is recent. */
    async sample(): Promise<void> {
      if (performance.now() - (samples.at(-1)?.at ?? Number.NEGATIVE_INFINITY) < SAMPLE_MS) return
      sampling ??= take().finally(() => {
        sampling = null
      })
      await sampling
    },
    /** Milliseconds by which a standby lags at most; null: more than the limit. @param applied bytes, null: none */
    at(applied: unknown): number | null {
      if (applied === null) return null
      const newest = samples.findLast((sample) => sample.position <= BigInt(String(applied)))
      const lagMs = newest === undefined ? Number.POSITIVE_INFINITY : performance.now() - newest.at
      return lagMs > REPLICA_MS.lag ? null : lagMs
    },
  }
}

/** The position of the log in bytes, as decimal digits; 0 on SQLite, which has no replica. */
export function* logPosition({ dialect }: Sql): Transaction<string> {
  if (dialect === 'sqlite') return '0'
  const [row] = yield statement(POSITION)
  return String(row!.position)
}

const POSITION = "SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS position"
