/**
 * The hot path on Citus: key look-ups and group commits on the server (Citus says worker) that holds the accounts, over
 * connections of its own. No other server takes part, so that a commit has one phase, the clock and the epoch are those of the
 * rows, and a server that fails delays no other.
 */
import { boundedQueue, type Queue } from '../../../../base/bounded-queue.ts'
import { KNOWN_KEYS } from '../../../../base/limits/callers.ts'
import { BrokenAssertion } from '../../../rules/assertions.ts'
import type { LedgerPlan } from '../../../rules/plan.ts'
import type { Entry, EntryGroup, Verdict } from '../../../rules/types.ts'
import type { KnownKey } from '../../known-key.ts'
import { NotCommitted, OutcomeUnknown } from '../../sql.ts'
import type { ConnectionStreams } from '../../streams.ts'
import { steadyClock } from '../clock.ts'
import { beginOf, type GroupStatements, Moved, type Query } from '../commit.ts'
import { type DatabaseConnection, isAnswer, isLocked, pipelined } from '../connection.ts'
import { commitGroup, type HotPath, inPart, type Rules, UNAVAILABLE } from '../group.ts'
import { askAll, byteaText, type FindKey, type FoundHash, findKeys, gathered } from '../lookup.ts'
import { primaryOf } from '../primary.ts'
import { IN_PLACE, metMove } from './cluster.ts'
import { type Places, placedHere, type Shard } from './places.ts'

/** The most groups in flight on one server: one of all its shards, and one of each shard that is kept apart. */
const GROUPS_A_SERVER = 8
/** A shard whose lock was not granted has groups of its own for this long, so that the others do not wait for it. */
const APART_MS = 1_000
/** The time for which a group follows accounts that move to other servers. */
const FOLLOW_MS = 600
/** Allows statements that write to shards directly. */
const ON_SHARDS = '-c citus.enable_manual_changes_to_shards=on'

interface ServerSettings {
  plan(): LedgerPlan
  readonly streams: ConnectionStreams
  /** Added to the clock of each server; only tests set it. */
  readonly clockOffsetMs: () => number
}

interface CitusServer {
  readonly rules: Rules
  readonly find: FindKey
  /** Runs a group commit on a connection that no other uses meanwhile. */
  group<Result>(commit: (connection: DatabaseConnection) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

function connectTo(
  url: string,
  places: Places,
  { clockOffsetMs, plan, streams }: ServerSettings,
): CitusServer {
  const primary = primaryOf(url)
  const steady = steadyClock()
  const timeOf = (now: number) => steady(now + clockOffsetMs())
  const lookups = pipelined(url, primary)
  const groups = Array.from({ length: GROUPS_A_SERVER }, () => pipelined(url, primary, ON_SHARDS))
  const free = [...groups]
  const queue: Queue = boundedQueue({
    concurrent: GROUPS_A_SERVER,
    // Each would wait for its own time-out.
    failsWaiting: (error) => error instanceof NotCommitted && isSilent(error.cause),
  })
  const find = async (hashes: readonly string[]) => {
    const here = places.all().filter((shard) => shard.url === url)
    if (here.length === 0) throw new Moved('The server has no shards')
    const ids = here.map(({ id }) => id)
    const queries = [readPlaced(ids), ...here.map(({ tables }) => findKeys(hashes, tables))]
    const [placed, ...found] = await askAll(lookups, queries)
    if (placed.length < ids.length) throw new Moved('A shard is not in its former place')
    return found.flat() as FoundHash[]
  }
  return {
    rules: { plan, primary, streams, timeOf },
    find: gathered(find, timeOf),
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

const readPlaced = (ids: readonly number[]): Query => ({
  name: 'read placed',
  text: `${placedHere} AND shardid = ANY ($1::bigint[])`,
  values: [ids],
})

const isSilent = (cause: unknown): boolean => !(isAnswer(cause) || cause instanceof Moved)

const hasMoved = (error: unknown): boolean => {
  const cause = error instanceof NotCommitted ? error.cause : undefined
  return [error, cause].some((each) => each instanceof Moved) || metMove(cause)
}

export function openServers(places: Places, settings: ServerSettings): HotPath {
  const servers = new Map<string, CitusServer>()
  const serverAt = (url: string): CitusServer => {
    const server = servers.get(url) ?? connectTo(url, places, settings)
    servers.set(url, server)
    return server
  }
  const { commit, together } = commitsOn(places, serverAt)
  const find = finderOn(places, (url) => serverAt(url).find)
  return {
    together,
    commit,
    lookup: (hashes) => Promise.all(hashes.map((hash) => find(byteaText(hash)))),
    async close() {
      await Promise.all([...servers.values()].map((server) => server.close()))
    },
  }
}

function commitsOn(
  places: Places,
  serverAt: (url: string) => CitusServer,
): Pick<HotPath, 'commit' | 'together'> {
  const apartUntil = new Map<number, number>()
  const together = (accountId: number): string => {
    const { id, url } = places.shardOf(accountId)
    const until = apartUntil.get(id)
    return until !== undefined && performance.now() < until ? `${url} ${id}` : url
  }
  /** Entries of one server. */
  const commitPart = async (part: EntryGroup): Promise<Verdict[]> => {
    const shardOf = new Map(part.entries.map(({ call }) => [call.accountId, places.shardOf(call.accountId)]))
    const shards = [...new Set(shardOf.values())].sort((a, b) => a.id - b.id)
    const statements = inShards(shards, (accountId) => shardOf.get(accountId))
    const { group, rules } = serverAt(shards[0].url)
    const isDivided = shards.length > 1
    try {
      const session = { statements, isDivided }
      return await group((connection) => commitGroup({ ...session, connection }, part, rules))
    } catch (error) {
      if (isDivided && error instanceof NotCommitted && isLocked(error.cause))
        for (const { id } of shards) apartUntil.set(id, performance.now() + APART_MS)
      places.reread()
      throw error
    }
  }
  return {
    together,
    async commit({ entries, isRepeated = false }) {
      const deadline = performance.now() + FOLLOW_MS
      const verdicts = new Map<Entry, Verdict>()
      let failure: unknown
      for (let left = [...entries]; left.length > 0; ) {
        const parts = [...Map.groupBy(left, ({ call }) => together(call.accountId)).values()]
        left = []
        const outcomes = await Promise.allSettled(
          parts.map((part) => commitPart({ entries: part, isRepeated })),
        )
        for (const [index, outcome] of outcomes.entries()) {
          const part = parts[index]
          if (outcome.status === 'fulfilled')
            part.forEach((entry, place) => {
              verdicts.set(entry, outcome.value[place])
            })
          else {
            if (!isGrave(failure)) failure = outcome.reason
            const isApart = part.some(
              ({ call }) => together(call.accountId) !== together(part[0].call.accountId),
            )
            // If the locked shard was set apart, the others are tried without it, even after the deadline.
            if (isApart || (performance.now() < deadline && hasMoved(outcome.reason))) left.push(...part)
          }
        }
        if (failure instanceof BrokenAssertion && verdicts.size > 0) throw inPart(failure)
        if (isGrave(failure)) throw failure
        if (left.length > 0) await places.reread()
      }
      // Entries of unknown outcome must all be decided; and a group without any verdict failed as a whole.
      if (verdicts.size < entries.length && (isRepeated || verdicts.size === 0)) throw failure
      return entries.map((entry) => verdicts.get(entry) ?? UNAVAILABLE)
    },
  }
}

/** Whether the failure of a part must reach the meter, whatever became of the other parts. */
const isGrave = (failure: unknown): boolean =>
  failure instanceof OutcomeUnknown || failure instanceof BrokenAssertion

/** Looks up keys. A key does not name its account, so at first all servers are asked, and later the one that had the key. */
function finderOn(places: Places, finderAt: (url: string) => FindKey): FindKey {
  /** The accounts of keys, the most recently found last. */
  const accounts = new Map<string, number>()
  const remember = (hash: string, { accountId }: KnownKey) => {
    accounts.delete(hash)
    accounts.set(hash, accountId)
    if (accounts.size > KNOWN_KEYS) accounts.delete(accounts.keys().next().value!)
  }
  const findOnce = async (hash: string): Promise<KnownKey | null> => {
    const known = accounts.get(hash)
    const there = known === undefined ? null : await finderAt(places.shardOf(known).url)(hash)
    const key = there ?? (await firstFound(urlsOf(places.all()).map((url) => finderAt(url)(hash))))
    if (key !== null && there === null) remember(hash, key)
    return key
  }
  return async (hash) => {
    const deadline = performance.now() + FOLLOW_MS
    for (;;) {
      const before = places.all()
      try {
        const key = await findOnce(hash)
        if (key !== null || places.all() === before) return key
        // A shard that moved meanwhile may have been asked in neither place.
        if (performance.now() > deadline) throw new Moved('Shards moved while a key was looked up')
      } catch (error) {
        const moved = hasMoved(error)
        const rereading = places.reread()
        if (!moved || performance.now() > deadline) throw error
        await rereading
      }
    }
  }
}

const urlsOf = (shards: readonly Shard[]): string[] => [...new Set(shards.map(({ url }) => url))]

/** The first key that is found; null: all servers answered that they have none. A failing server delays no key of the others. */
async function firstFound(asked: readonly Promise<KnownKey | null>[]): Promise<KnownKey | null> {
  try {
    return await Promise.any(asked.map(async (answer) => (await answer) ?? Promise.reject()))
  } catch {
    // No server has found one. Throws the error of a server that failed.
    await Promise.all(asked)
    return null
  }
}

/** @param shards of one server that have accounts of the group, in the order of their ids, in which every writer locks */
const inShards = (
  shards: readonly Shard[],
  shardOf: (accountId: number) => Shard | undefined,
): GroupStatements => ({
  reads(group, known) {
    const ofShards = Map.groupBy(group.entries, ({ call }: Entry) => shardOf(call.accountId))
    const reads = shards.map((shard) =>
      shard.statements.reads({ ...group, entries: ofShards.get(shard)! }, known),
    )
    return {
      begin: [...beginOf(group.entries), heldInPlace(shards)],
      accounts: reads.flatMap(({ accounts }) => accounts),
      keys: reads.flatMap(({ keys }) => keys),
      teamKeys: reads.flatMap(({ teamKeys }) => teamKeys),
      bindings: reads.flatMap(({ bindings }) => bindings),
      written: reads.flatMap(({ written }) => written),
      salts: reads.flatMap(({ salts }) => salts),
    }
  },
  lots: (accountIds) =>
    [...Map.groupBy(accountIds, (id) => shardOf(id)!)].flatMap(([shard, ids]) => shard.statements.lots(ids)),
  writes: (writes) =>
    shards.flatMap((shard) => {
      const isOwn = ({ accountId }: { readonly accountId: number | null }) => shardOf(accountId!) === shard
      return shard.statements.writes({
        accounts: writes.accounts.filter(({ id }) => shardOf(id) === shard),
        teamKeys: writes.teamKeys.filter(isOwn),
        lots: writes.lots.filter(isOwn),
        expired: writes.expired.filter(isOwn),
        audit: writes.audit.filter(isOwn),
        groups: writes.groups.filter(isOwn),
        salts: writes.salts.filter(([accountId]) => isOwn({ accountId })),
        bindings: writes.bindings.filter(isOwn),
        refusals: writes.refusals.filter(isOwn),
        events: writes.events.filter(isOwn),
      })
    }),
})

/**
 * Takes the lock that the switch-over of a move takes, too: either waits for the other. The statements that read the keys have
 * later snapshots and return whether the shards are on this server; the lock keeps that true until the transaction ends.
 */
const heldInPlace = (shards: readonly Shard[]): Query => ({
  name: 'hold in place',
  text: `SELECT lock_shard_metadata(${IN_PLACE}, $1::bigint[])`,
  values: [shards.map(({ id }) => id)],
})
