/** Where the shards of a Citus cluster are: the parts of the tables of accounts, each on one server. */
import { type Run, statement, type Transaction } from '../../sql.ts'
import { type AccountTables, type GroupStatements, groupStatements } from '../commit.ts'
import { type Server, urlOf } from './cluster.ts'

/** The rows of some accounts, in the shards of all tables that are divided by account. */
export interface Shard {
  /** The id of the shard of the table `accounts`. */
  readonly id: number
  /** The URL of the server that holds the shard. */
  readonly url: string
  readonly tables: AccountTables
  readonly statements: GroupStatements
  /** The least hash of its accounts. */
  readonly least: number
}

/** The interval at which places are read again. A transaction that finds its rows moved has them read sooner. */
const REREAD_MS = 10_000

/** A condition: the server that runs the statement holds the placements. */
export const placedHere =
  'SELECT shardid FROM pg_dist_placement WHERE groupid = (SELECT groupid FROM pg_dist_local_group)'

export interface Places {
  shardOf(accountId: number): Shard
  /** Returns the same array until a shard has moved. Each look-up of a key calls it, so that old places are read again. */
  all(): readonly Shard[]
  /** Reads the places again. Where the coordinator cannot be reached, they stay as they are. */
  reread(): Promise<void>
}

/** Reads the places once before it returns. @param run on the coordinator */
export async function readPlaces(url: string, run: Run): Promise<Places> {
  let shards = await run(() => shardsOf(url))
  let readAt = performance.now()
  let reading: Promise<void> | null = null
  const read = async () => {
    readAt = performance.now()
    try {
      const present = await run(() => shardsOf(url))
      const isSame = (shard: Shard, index: number) =>
        shard.id === shards[index]?.id && shard.url === shards[index].url
      if (!present.every(isSame)) shards = present
    } catch {
      // The servers still serve their accounts.
    } finally {
      reading = null
    }
  }
  const reread = () => {
    reading ??= read()
    return reading
  }
  return {
    shardOf(accountId) {
      const hash = hashOf(accountId)
      return shards.findLast(({ least }) => least <= hash)!
    },
    all() {
      if (performance.now() - readAt > REREAD_MS) reread()
      return shards
    },
    reread,
  }
}

/** The shards, ordered by hash, which is also the order of their ids. */
function* shardsOf(url: string): Transaction<Shard[]> {
  const found = yield statement(`SELECT shardminvalue::int AS least, nodename AS host, nodeport AS port,
      json_object_agg(logicalrelid::text, shardid) AS ids
    FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node USING (groupid)
    JOIN pg_dist_partition USING (logicalrelid)
    WHERE noderole = 'primary' AND colocationid =
      (SELECT colocationid FROM pg_dist_partition WHERE logicalrelid = 'accounts'::regclass)
    GROUP BY 1, 2, 3 ORDER BY 1`)
  return found.map((row) => {
    const { ids, least, ...server } = row as unknown as Server & {
      readonly least: number
      readonly ids: Readonly<Record<string, number>>
    }
    const nameOf = (table: string) => `${table}_${ids[table]}`
    const isHere = `EXISTS (${placedHere} AND shardid = ${ids.accounts})`
    const tables = { label: ` ${ids.accounts}`, nameOf, isDivided: true, isHere }
    return { id: ids.accounts, url: urlOf(url, server), tables, statements: groupStatements(tables), least }
  })
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/** The rotations of the final mixing; they apply to c, a, b in turn. */
const ROTATIONS = [14, 11, 25, 16, 4, 14, 24]

/** From -2^31 to 2^31 - 1. @param id an integer from 0 to 2^53 - 1 */
export function hashOf(id: number): number {
  const seed = (0x9e3779b9 + 4 + 3_923_095) | 0
  const folded = ((id % 2 ** 32) | 0) ^ Math.floor(id / 2 ** 32)
  // The order is c, a, b: each word is changed by the one before it.
  const words = [seed, (seed + folded) | 0, seed]
  // The first step changes c by b, the next a by c, then b by a.
  const [C, A, B] = [0, 1, 2]
  const order = [
    [C, B],
    [A, C],
    [B, A],
  ]
  ROTATIONS.forEach((bits, step) => {
    const [changed, by] = order[step % 3]
    words[changed] = ((words[changed] ^ words[by]) - rotate(words[by], bits)) | 0
  })
  return words[C]
}
