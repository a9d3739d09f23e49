/** Sends several statements in one packet and receives their results: one round trip, by the driver's own pipelining. */
import type { Client, QueryResult } from 'pg'
import type { Query } from './commit.ts'

/** Null is answered by no rows. Rejects with the error of the first statement that fails; in a transaction the later ones fail too. */
export async function send(
  client: Client,
  queries: readonly (Query | null)[],
): Promise<(QueryResult | typeof NOTHING)[]> {
  const { stream } = client.connection
  stream.cork()
  const answers = queries.map((query) => (query === null ? NOTHING : client.query(query)))
  stream.uncork()
  return await Promise.all(answers)
}

const NOTHING = { rows: [], command: '' }
