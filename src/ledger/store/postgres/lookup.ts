/** Looks up API keys on PostgreSQL, any number of them in one round trip. */
import type { QueryResultRow } from 'pg'
import { coalesce } from '../../../base/coalesce.ts'
import { type FoundKey, fromKeys, KEY_FIELDS, type KnownKey, knownKey } from '../known-key.ts'
import { NotCommitted } from '../sql.ts'
import { NOW } from './clock.ts'
import type { AccountTables, Query } from './commit.ts'
import { type DatabaseConnection, isAnswer, STALE_MS } from './connection.ts'
import { send } from './pipeline.ts'

export type FoundHash = FoundKey & { readonly hash: string; readonly now: number }

export const findKeys = (hashes: readonly string[], { label, nameOf }: AccountTables): Query => ({
  name: `find keys${label}`,
  text: `SELECT k.hash::text, ${KEY_FIELDS}, ${NOW} AS now ${fromKeys(nameOf)} WHERE k.hash = ANY ($1::bytea[])`,
  values: [hashes],
})

/** Iterations for which keys are gathered: clients that are answered together tend to send again together. */
const GATHER_ITERATIONS = 8

/** Looks up the key of a hash, which is in PostgreSQL's text form. Calls that come together share a round trip. */
export type FindKey = (hash: string) => Promise<KnownKey | null>

/** @param find looks up the keys of several hashes */
export function gathered(
  find: (hashes: readonly string[]) => Promise<FoundHash[]>,
  timeOf: (now: number) => number,
): FindKey {
  const queue = coalesce(
    async (hashes: string[]) => {
      const found = new Map<string, KnownKey>()
      for (const row of await find([...new Set(hashes)]))
        found.set(row.hash, { ...knownKey(row), now: timeOf(row.now) })
      return hashes.map((hash) => found.get(hash) ?? null)
    },
    { gatherIterations: GATHER_ITERATIONS },
  )
  return (hash) => queue.add(hash)
}

/** Sends prepared statements in one round trip, and again if the connection had been lost before. Throws NotCommitted. */
export async function askAll(
  connection: DatabaseConnection,
  queries: readonly Query[],
): Promise<QueryResultRow[][]> {
  const startedAt = performance.now()
  try {
    return await askOnce(connection, queries)
  } catch (error) {
    if (performance.now() - startedAt > STALE_MS) throw error
    return await askOnce(connection, queries)
  }
}

async function askOnce(
  connection: DatabaseConnection,
  queries: readonly Query[],
): Promise<QueryResultRow[][]> {
  const client = await connection.client()
  const answers = await send(client, queries).catch((error) => {
    if (!isAnswer(error)) connection.drop()
    throw new NotCommitted('PostgreSQL did not answer a key lookup', { cause: error })
  })
  return answers.map(({ rows }) => rows)
}

/** The text form of bytes in PostgreSQL. */
export const byteaText = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
