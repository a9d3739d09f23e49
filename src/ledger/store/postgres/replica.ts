/** Reads on a standby, with a bound on how far it lags. */
import { REPLICA_MS } from '../../../base/limits/operation.ts'
import { NotCommitted } from '../outcomes.ts'
import { type Sql, sqlFor, statement, type Transaction } from '../sql.ts'
import type { Replica } from '../store.ts'
import { readClock } from './clock.ts'
import { pooled } from './connection.ts'
import { serverOf } from './primary.ts'
import { runnerOn } from './run.ts'

/** The interval of the samples, which is the resolution of the lag. */
const SAMPLE_MS = 500

/** @param position the position of the primary's log */
export function openReplica(url: string, position: () => Promise<string>): Replica {
  const server = serverOf(url, 'standby')
  const pool = pooled(url, server)
  const run = runnerOn(pool, { begin: 'BEGIN READ ONLY', beginMs: REPLICA_MS.begin })
  const sql = sqlFor('postgres', readClock)
  const lag = lagOf(position)
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
