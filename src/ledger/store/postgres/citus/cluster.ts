/** A Citus cluster: its coordinator, locks on accounts by way of it, and reads of shards that may move meanwhile. */
import { DatabaseError } from 'pg'
import { hostsOf } from '../../../../base/hosts.ts'
import { NotCommitted, type Run, type Sql, statement, type Transaction } from '../../sql.ts'

export interface Server {
  readonly host: string
  readonly port: number
}

const COORDINATOR = 0

/**
 * The URL of the coordinator of the cluster that a server belongs to; null: the server does not belong to one.
 * @param url of the server. If it is the coordinator, this is the result, with all its hosts
 */
export function* coordinatorOf(url: string): Transaction<string | null> {
  const installed = yield statement("SELECT 1 FROM pg_extension WHERE extname = 'citus'")
  if (installed.length === 0) return null
  const [node] =
    yield statement(`SELECT nodename AS host, nodeport AS port, local.groupid = ${COORDINATOR} AS "isHere"
    FROM pg_dist_node AS node, pg_dist_local_group AS local
    WHERE node.groupid = ${COORDINATOR} AND noderole = 'primary'`)
  if (node === undefined) return null
  return node.isHere === true ? url : urlOf(hostsOf(url)[0], node as unknown as Server)
}

/** The same database on another server. @param url with one host */
export function urlOf(url: string, { host, port }: Server): string {
  const changed = new URL(url)
  changed.hostname = host
  changed.port = String(port)
  return changed.href
}

/**
 * The mode of `lock_shard_metadata`, PostgreSQL's SHARE, in which Citus' own writes hold a shard in its place. The switch-over
 * of a move takes the same lock exclusively.
 */
export const IN_PLACE = 5

const HOLD_IN_PLACE = `SELECT ids, lock_shard_metadata(${IN_PLACE}, ARRAY[shard])
  FROM (SELECT get_shard_id_for_distribution_column('accounts', id) AS shard, string_agg(id::text, ', ' ORDER BY id) AS ids
    FROM unnest($1::bigint[]) AS id GROUP BY 1 ORDER BY 1) AS shards`

/** The function of Citus that finds the servers of a statement with several tables. */
const PLACES_TABLES = 'QueryPushdownTaskCreate'

/** A shard moved: one of its tables was in the former place while Citus planned a statement, or was dropped there (42P01). */
export const metMove = (error: unknown): boolean =>
  error instanceof DatabaseError && (error.code === '42P01' || error.routine === PLACES_TABLES)

/** The differences between the statements of verbs, which go to the coordinator, and those on one server. */
export const onCoordinator: Partial<Sql> = {
  isByDay: false,
  /**
   * A row lock alone exists in one place only: a shard that moves would leave it behind. A statement can lock rows of one shard
   * only.
   */
  *lock(accountIds) {
    if (accountIds.length === 0) return
    for (const { ids } of yield statement(HOLD_IN_PLACE, [...new Set(accountIds)]))
      yield statement(`SELECT id FROM accounts WHERE id IN (${ids}) ORDER BY id FOR UPDATE`)
  },
  /** A table on the coordinator keeps addresses unique; an index of the accounts could do so within one shard only. */
  addresses: {
    *accountIdOf(address) {
      const [found] = yield statement('SELECT account_id FROM addresses WHERE address = $1', address)
      return found === undefined ? null : Number(found.account_id)
    },
    *add(address, accountId) {
      yield statement('INSERT INTO addresses (address, account_id) VALUES ($1, $2)', address, accountId)
    },
    *remove(address) {
      yield statement('DELETE FROM addresses WHERE address = $1', address)
    },
  },
}

const MAX_TRIES = 8

/**
 * A server's snapshot from before a shard came to it holds none of the shard's rows, and nothing tells that they are missing.
 * So a transaction during which a shard has moved is repeated.
 * @param read runs a transaction in one snapshot
 * @param run runs one that reads the present places
 */
export const unmoved =
  (read: Run, run: Run): Run =>
  async (transaction) => {
    let before = await run(placements)
    for (let tries = 1; tries <= MAX_TRIES; tries++) {
      const result = await read(transaction)
      const after = await run(placements)
      if (after === before) return result
      before = after
    }
    throw new NotCommitted(
      'Shards moved during each of several tries to read: read again when they are in their places',
    )
  }

/** The ids of all placements. Each move makes a new placement, even one back to the former server. */
function* placements(): Transaction<unknown> {
  const [row] = yield statement(
    "SELECT string_agg(placementid::text, ' ' ORDER BY placementid) AS placements FROM pg_dist_placement",
  )
  return row.placements
}
