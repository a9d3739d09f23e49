/** Reads and checks checkpoints from the database and from an exported file, which anybody may have written. */
import { createPublicKey, verify } from 'node:crypto'
import { parsedJson } from '../parsed-json.ts'
import { canonical } from '../receipt-check/canonical.ts'
import { hasSmallOrder } from '../receipt-check/small-order.ts'
import type { PublishedKey } from '../receipt-check/verify.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import { MOST_GROUPS } from '../store/streams.ts'
import type { Checkpoint, SignedCheckpoint, StreamEntry } from './checkpoint-text.ts'

type Fields = Readonly<Record<string, unknown>>

/** The text of the newest checkpoint in the database; null: there is none. */
export function* newestBody({ db }: Sql): Transaction<string | null> {
  const found = yield* first(db.selectFrom('checkpoints').select('body').orderBy('number', 'desc').limit(1))
  return found?.body ?? null
}

/** The checkpoint that a text states; null: it states none, or is not canonical JSON. */
export function checkpointOf(body: string): Checkpoint | null {
  const stated = parsedJson(body) as (Fields & Checkpoint) | null | undefined
  const isCheckpoint =
    canonicalOrNull(stated) === body &&
    [stated?.at, stated?.kept_from, stated?.number, stated?.proven_from].every(Number.isSafeInteger) &&
    Array.isArray(stated?.streams) &&
    stated.streams.every(isEntry)
  return isCheckpoint ? stated! : null
}

const isEntry = (entry: StreamEntry | null): boolean =>
  [entry?.first, entry?.last, entry?.stream].every(
    (number) => Number.isSafeInteger(number) && number! > 0 && number! <= MOST_GROUPS,
  )

/** The checkpoint in a line of the exported file; null: a crash has cut the line. */
export function checkpointIn(line: string): SignedCheckpoint | null {
  const signed = parsedJson(line) as SignedCheckpoint | null | undefined
  return Number.isSafeInteger(signed?.checkpoint?.number) ? signed! : null
}

/** What is wrong unless a checkpoint is signed by its key, and at a rotation also by the next one, while these keys are valid. */
export function wrongWithSignature(
  checkpoint: Checkpoint,
  body: string,
  signatures: string,
  keys: readonly PublishedKey[],
): string | null {
  const list = parsedJson(signatures)
  for (const id of [checkpoint.key, checkpoint.next_key]) {
    if (id === undefined) continue
    const key = keys.find((one) => one?.id === id)
    if (key === undefined) return 'has a key that is not among the given ones'
    const signed = Array.isArray(list) ? list.find((one) => one?.key === id) : undefined
    const isInTime = checkpoint.at >= key.from && (key.until === null || checkpoint.at <= key.until)
    if (
      typeof signed?.signature !== 'string' ||
      !isInTime ||
      !isSignedBy(key.public_key, body, signed.signature)
    )
      return 'is not signed'
  }
  return null
}

function isSignedBy(publicKey: string, body: string, signature: string): boolean {
  try {
    const key = createPublicKey({ key: { crv: 'Ed25519', kty: 'OKP', x: publicKey }, format: 'jwk' })
    if (hasSmallOrder(Buffer.from(publicKey, 'base64url'))) return false
    return verify(null, Buffer.from(body), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

const AT_ONCE = 100

/**
 * Compares exported checkpoints with those of the database. The file may have some of them twice and in any order, because
 * several nodes append to it.
 */
export function* compareExported({ db }: Sql, exported: Iterable<SignedCheckpoint>) {
  const altered: number[] = []
  let [compared, lacking] = [0, 0]
  const compare = function* (some: readonly SignedCheckpoint[]): Transaction<void> {
    const numbers = some.map(({ checkpoint }) => checkpoint.number)
    const found = yield* rows(
      db.selectFrom('checkpoints').select(['number', 'body']).where('number', 'in', numbers),
    )
    const bodies = new Map(found.map(({ body, number }) => [number, body]))
    for (const { checkpoint } of some) {
      const body = bodies.get(checkpoint.number)
      if (body === undefined) lacking += 1
      else if (canonicalOrNull(checkpoint) !== body) altered.push(checkpoint.number)
    }
    compared += some.length
  }
  let some: SignedCheckpoint[] = []
  for (const checkpoint of exported) {
    some.push(checkpoint)
    if (some.length < AT_ONCE) continue
    yield* compare(some)
    some = []
  }
  if (some.length > 0) yield* compare(some)
  return { altered, compared, lacking }
}

function canonicalOrNull(value: unknown): string | null {
  try {
    return canonical(value)
  } catch {
    return null
  }
}
