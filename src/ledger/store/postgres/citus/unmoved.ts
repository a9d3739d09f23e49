/** Reads in one snapshot for each server, of shards that may move meanwhile. */
import { NotCommitted } from '../../outcomes.ts'
import { type Run, statement, type Transaction } from '../../sql.ts'

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
