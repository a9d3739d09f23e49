/** Looks keys up on PostgreSQL, any number of them in one round trip. */
import type { KeyStatus } from '../../ledger/types.ts'
import { type KnownKey, NotCommitted } from '../store.ts'
import { type Connection, isAnswer, STALE_MS } from './connection.ts'
import { exchange, type Row } from './exchange.ts'

export async function lookup(
  connection: Connection,
  hashes: readonly Uint8Array[],
  offsetMs: number,
): Promise<(KnownKey | null)[]> {
  const startedAt = performance.now()
  try {
    return await lookupOnce(connection, hashes, offsetMs)
  } catch (error) {
    if (performance.now() - startedAt > STALE_MS) throw error
    return await lookupOnce(connection, hashes, offsetMs)
  }
}

async function lookupOnce(
  connection: Connection,
  hashes: readonly Uint8Array[],
  offsetMs: number,
): Promise<(KnownKey | null)[]> {
  const client = await connection.client().catch((error) => {
    throw new NotCommitted('PostgreSQL is away', { cause: error })
  })
  const names = hashes.map(byteaText)
  const wanted = [...new Set(names)].map((name) => `"\\${name}"`)
  const answers = await exchange(client, [{ name: 'lookup', values: [`{${wanted}}`] }]).catch((error) => {
    if (!isAnswer(error)) connection.drop()
    throw new NotCommitted('PostgreSQL did not answer a lookup', { cause: error })
  })
  const found = new Map(answers.get('lookup')!.rows.map((row) => [row[0], keyFrom(row, offsetMs)]))
  return names.map((name) => found.get(name) ?? null)
}

/** As PostgreSQL writes and reads it. */
const byteaText = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex')}`

const keyFrom = ([, id, accountId, status, verifiedAt, expiresAt, now]: Row, offsetMs: number): KnownKey => ({
  keyId: Number(id),
  accountId: Number(accountId),
  status: status as KeyStatus,
  verified: verifiedAt !== null,
  expiresAt: expiresAt === null ? null : Number(expiresAt),
  now: Number(now) + offsetMs,
})
