/** Looks up API keys on PostgreSQL, any number of them in one round trip. */
import { NotCommitted } from '../outcomes.ts'
import type { KnownKey } from '../store.ts'
import { type Connection, isAnswer, STALE_MS } from './connection.ts'
import { exchange, type PreparedStatement } from './exchange.ts'
import { arrayOf, findKeys } from './statements.ts'

export async function lookup(
  connection: Connection,
  hashes: readonly Uint8Array[],
  timeOf: (now: number) => number,
): Promise<(KnownKey | null)[]> {
  const names = hashes.map(byteaText)
  const found = new Map<string, KnownKey>()
  for (const { hash, now, verifiedAt, ...key } of await ask(
    connection,
    findKeys,
    arrayOf([...new Set(names)]),
  ))
    found.set(hash, { ...key, verified: verifiedAt !== null, now: timeOf(now) })
  return names.map((name) => found.get(name) ?? null)
}

/** Runs one prepared statement, a second time if the connection was lost before. Throws NotCommitted. */
export async function ask<Row>(
  connection: Connection,
  statement: PreparedStatement<Row>,
  ...values: string[]
): Promise<Row[]> {
  const startedAt = performance.now()
  try {
    return await askOnce(connection, statement, values)
  } catch (error) {
    if (performance.now() - startedAt > STALE_MS) throw error
    return await askOnce(connection, statement, values)
  }
}

async function askOnce<Row>(
  connection: Connection,
  statement: PreparedStatement<Row>,
  values: readonly string[],
): Promise<Row[]> {
  const client = await connection.client()
  const results = await exchange(client, [{ statement, values }]).catch((error) => {
    if (!isAnswer(error)) connection.drop()
    throw new NotCommitted('PostgreSQL did not answer a key lookup', { cause: error })
  })
  return results.rows(statement)
}

/** As PostgreSQL reads and writes bytes. */
export const byteaText = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`
