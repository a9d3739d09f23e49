/** Looks up API keys on PostgreSQL, any number of them in one round trip. */
import type { QueryResultRow } from 'pg'
import { type FoundKey, FROM_KEYS, KEY_FIELDS, type KnownKey, knownKey } from '../known-key.ts'
import { NotCommitted } from '../outcomes.ts'
import { NOW } from './clock.ts'
import type { Query } from './commit.ts'
import { type DatabaseConnection, isAnswer, STALE_MS } from './connection.ts'
import { send } from './pipeline.ts'

const findKeys = (hashes: readonly string[]): Query => ({
  name: 'find keys',
  text: `SELECT k.hash::text, ${KEY_FIELDS}, ${NOW} AS now ${FROM_KEYS} WHERE k.hash = ANY ($1::bytea[])`,
  values: [hashes],
})

type FoundHash = FoundKey & { readonly hash: string; readonly now: number }

export async function lookup(
  connection: DatabaseConnection,
  hashes: readonly Uint8Array[],
  timeOf: (now: number) => number,
): Promise<(KnownKey | null)[]> {
  const names = hashes.map(byteaText)
  const found = new Map<string, KnownKey>()
  for (const row of await ask<FoundHash>(connection, findKeys([...new Set(names)])))
    found.set(row.hash, { ...knownKey(row), now: timeOf(row.now) })
  return names.map((name) => found.get(name) ?? null)
}

/** Runs one prepared statement, a second time if the connection was lost before. Throws NotCommitted. */
export async function ask<Row extends QueryResultRow>(
  connection: DatabaseConnection,
  query: Query,
): Promise<Row[]> {
  const startedAt = performance.now()
  try {
    return await askOnce(connection, query)
  } catch (error) {
    if (performance.now() - startedAt > STALE_MS) throw error
    return await askOnce(connection, query)
  }
}

async function askOnce<Row extends QueryResultRow>(
  connection: DatabaseConnection,
  query: Query,
): Promise<Row[]> {
  const client = await connection.client()
  const [answer] = await send(client, [query]).catch((error) => {
    if (!isAnswer(error)) connection.drop()
    throw new NotCommitted('PostgreSQL did not answer a key lookup', { cause: error })
  })
  return answer.rows
}

/** As PostgreSQL reads and writes bytes. */
export const byteaText = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
