/**
 * The hot path on Citus: key look-ups and group commits on the server (Citus says worker) that holds the bucket, over
 * connections of its own. No other server takes part, so that a commit has one phase, the clock and the epoch are those of
 * the rows, and a server that fails delays no other.
 */
import { boundedQueue, type Queue } from '../../../bounded-queue.ts'
import { bucketOf } from '../../../buckets.ts'
import type { Tiers } from '../../../ledger/tiers.ts'
import type { Entry, Verdict } from '../../../ledger/types.ts'
import { NotCommitted } from '../../outcomes.ts'
import type { KnownKey } from '../../store.ts'
import { steadyClock } from '../clock.ts'
import { type DatabaseConnection, isAnswer, pipelined } from '../connection.ts'
import { commitGroup, type Rules } from '../group.ts'
import { ask, byteaText } from '../lookup.ts'
import { primaryOf } from '../primary.ts'
import type { Places } from './cluster.ts'
import { inBucket } from './commit.ts'
import { findIn, findOldKeys } from './lookup.ts'

/** Groups in flight on one server; those of other buckets wait. */
const GROUPS_A_SERVER = 8

export interface ServerSettings {
  readonly tiers: Tiers
  /** Added to the clock of each server; only tests set it. */
  readonly clockOffsetMs: () => number
}

interface CitusServer {
  readonly rules: Rules
  readonly lookups: DatabaseConnection
  /** Runs a group commit on a connection that no other uses meanwhile. */
  group<Result>(commit: (connection: DatabaseConnection) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

function connectTo(url: string, { clockOffsetMs, tiers }: ServerSettings): CitusServer {
  const primary = primaryOf(url)
  const steady = steadyClock()
  const lookups = pipelined(url, primary)
  const groups = Array.from({ length: GROUPS_A_SERVER }, () => pipelined(url, primary))
  const free = [...groups]
  const queue: Queue = boundedQueue({
    concurrent: GROUPS_A_SERVER,
    waiting: Number.POSITIVE_INFINITY,
    onFull: () => new NotCommitted('Too many groups are waiting'),
    // Each would wait for its own time-out.
    failsWaiting: (error) => error instanceof NotCommitted && !isAnswer(error.cause),
  })
  return {
    rules: { primary, tiers, timeOf: (now) => steady(now + clockOffsetMs()) },
    lookups,
    group: (commit) =>
      queue(async () => {
        const connection = free.pop()!
        try {
          return await commit(connection)
        } finally {
          free.push(connection)
        }
      }),
    close: async () => {
      await Promise.all([...groups, lookups].map((connection) => connection.close()))
    },
  }
}

/** Key look-ups and group commits. */
export interface HotPath {
  commit(entries: readonly Entry[], again: boolean): Promise<Verdict[]>
  lookup(hashes: readonly Uint8Array[], bucket: number): Promise<(KnownKey | null)[]>
  close(): Promise<void>
}

export function openServers(places: Places, settings: ServerSettings): HotPath {
  const servers = new Map<string, CitusServer>()
  const holding = (bucket: number): CitusServer => {
    const url = places.of(bucket)
    const server = servers.get(url) ?? connectTo(url, settings)
    servers.set(url, server)
    return server
  }
  const noticing = async <Result>(task: Promise<Result>): Promise<Result> => {
    try {
      return await task
    } catch (error) {
      places.reread()
      throw error
    }
  }
  return {
    async commit(entries, again) {
      // The meter enters those entries of a group again that write debits; there may be none.
      const [first] = entries
      if (first === undefined) return []
      const bucket = bucketOf(first.call.accountId)
      const statements = inBucket(bucket)
      const { group, rules } = holding(bucket)
      const committed = group((connection) => commitGroup({ connection, statements }, entries, again, rules))
      return await noticing(committed)
    },
    async lookup(hashes, bucket) {
      const names = [...new Set(hashes.map(byteaText))]
      const holder = holding(bucket)
      const found = await noticing(findIn(holder, bucket, names))
      const missing = names.filter((name) => !found.has(name))
      if (missing.length > 0) {
        const old = await noticing(ask<{ accountId: number }>(holder.lookups, findOldKeys(missing)))
        // By every hash of a key: during a rotation of the master key this table may have another than the account's row.
        for (const elsewhere of new Set(old.map(({ accountId }) => bucketOf(accountId))))
          for (const [name, key] of await noticing(findIn(holding(elsewhere), elsewhere, missing)))
            found.set(name, key)
      }
      return hashes.map((hash) => found.get(byteaText(hash)) ?? null)
    },
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()))
    },
  }
}
