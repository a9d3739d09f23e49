/** The servers of a Citus cluster: its coordinator, and the server that holds each bucket. */
import { BUCKETS } from '../../../buckets.ts'
import type { Run } from '../../run.ts'
import type { Transaction } from '../../sql.ts'

interface Server {
  readonly host: string
  readonly port: number
}

const COORDINATOR = 0

/** The coordinator of the cluster that a server belongs to; null: the server does not belong to one. */
export function* coordinator(): Transaction<Server | null> {
  const installed = yield statement("SELECT 1 FROM pg_extension WHERE extname = 'citus'")
  if (installed.length === 0) return null
  const [node] = yield statement(`SELECT nodename AS host, nodeport AS port FROM pg_dist_node
    WHERE groupid = ${COORDINATOR} AND noderole = 'primary'`)
  return (node ?? null) as unknown as Server | null
}

const statement = (sql: string) => ({ sql, parameters: [] })

/** The same database on another server. @param url with one host */
export function urlOf(url: string, { host, port }: Server): string {
  const changed = new URL(url)
  changed.hostname = host
  changed.port = String(port)
  return changed.href
}

/** Shards move rarely: a bucket's statements reach it through its former server until the places are read again. */
const REREAD_MS = 10_000

export interface Places {
  /** The URL of the server that holds a bucket. */
  of(bucket: number): string
  /** Reads the places again before they are due, because a server did not answer. */
  reread(): void
}

/** Reads the places once before it returns. @param run on the coordinator */
export async function readPlaces(url: string, run: Run): Promise<Places> {
  let places = await run(() => placesOf(url))
  let readAt = performance.now()
  let isReading = false
  const reread = () => {
    // Each call to an account of a server that is down asks for it.
    if (isReading) return
    isReading = true
    readAt = performance.now()
    run(() => placesOf(url))
      .then(
        (found) => {
          places = found
        },
        // The coordinator cannot be reached: the servers still serve their buckets.
        () => undefined,
      )
      .finally(() => {
        isReading = false
      })
  }
  return {
    of(bucket) {
      if (performance.now() - readAt > REREAD_MS) reread()
      return places[bucket]
    },
    reread,
  }
}

function* placesOf(url: string): Transaction<string[]> {
  const found = yield statement(`SELECT nodename AS host, nodeport AS port
    FROM generate_series(0, ${BUCKETS - 1}) AS bucket
    JOIN pg_dist_placement ON shardid = get_shard_id_for_distribution_column('accounts', bucket::smallint)
    JOIN pg_dist_node USING (groupid) WHERE noderole = 'primary' ORDER BY bucket`)
  return found.map((place) => urlOf(url, place as unknown as Server))
}
