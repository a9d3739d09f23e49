/** Looks up API keys on PostgreSQL, any number of them in one round trip. */
import { NotCommitted } from '../outcomes.ts'
import type { KnownKey } from '../store.ts'
import { type Connection, isAnswer, STALE_MS } from './connection.ts'
import { exchange } from './exchange.ts'
import { arrayOf, findKeys } from './statements.ts'

export async function lookup(
  connection: Connection,
  hashes: readonly Uint8Array[],
  timeOf: (now: number) => number,
): Promise<(KnownKey | null)[]> {
  const startedAt = performance.now()
  try {
    return await lookupOnce(connection, hashes, timeOf)
  } catch (error) {
    if (performance.now() - startedAt > STALE_MS) throw error
    return await lookupOnce(connection, hashes, timeOf)
  }
}

async function lookupOnce(
  connection: Connection,
  hashes: readonly Uint8Array[],
  timeOf: (now: number) => number,
): Promise<(KnownKey | null)[]> {
  const client = await connection.client()
  const names = hashes.map(byteaText)
  const values = [arrayOf([...new Set(names)])]
  const results = await exchange(client, [{ statement: findKeys, values }]).catch((error) => {
    if (!isAnswer(error)) connection.drop()
    throw new NotCommitted('PostgreSQL did not answer a key lookup', { cause: error })
  })
  const found = new Map<string, KnownKey>()
  for (const { hash, now, verifiedAt, ...key } of results.rows(findKeys))
    found.set(hash, { ...key, verified: verifiedAt !== null, now: timeOf(now) })
  return names.map((name) => found.get(name) ?? null)
}

/** As PostgreSQL reads and writes bytes. */
const byteaText = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
