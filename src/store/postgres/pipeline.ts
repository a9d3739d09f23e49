/** Sends several statements in one packet and receives their results: one round trip, by the driver's own pipelining. */
import type { Client, QueryResult } from 'pg'
import { ANSWER_MS } from '../../limits/operation.ts'
import type { Query } from './commit.ts'

/**
 * Rejects with the error of the first statement that fails; in a transaction the later ones
 * fail too. One timer for all: without an answer in time the connection ends.
 */
export async function send(client: Client, queries: readonly Query[]): Promise<QueryResult[]> {
  const { stream } = client.connection
  const timer = setTimeout(() => stream.destroy(), ANSWER_MS)
  try {
    stream.cork()
    const answers = queries.map((query) => client.query(query))
    stream.uncork()
    return await Promise.all(answers)
  } finally {
    clearTimeout(timer)
  }
}
