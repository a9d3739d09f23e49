/** Reads and checks checkpoints of the database and of an exported file, which anybody may have written. */
import { createPublicKey, verify } from 'node:crypto'
import { parsedJson } from '../../base/text.ts'
import { canonical, members, parsed } from '../../wire/receipt-check/receipt-values.ts'
import { hasSmallOrder, type PublishedKey, SIGNATURE } from '../../wire/receipt-check/verify.ts'
import { first, type Sql, type Transaction } from '../store/sql.ts'
import { MOST_GROUPS } from '../store/streams.ts'
import type { Checkpoint, SignedCheckpoint, StreamEntry } from './checkpoint-text.ts'
import { keyId, type Signature } from './signing-keys.ts'

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
    [stated?.at, stated?.clock ?? 0, stated?.kept_from, stated?.number, stated?.proven_from].every(
      Number.isSafeInteger,
    ) &&
    Array.isArray(stated?.streams) &&
    stated.streams.every(isEntry)
  return isCheckpoint ? stated! : null
}

const isEntry = (entry: StreamEntry | null): boolean =>
  [entry?.first, entry?.last, entry?.stream].every(
    (number) => Number.isSafeInteger(number) && number! > 0 && number! <= MOST_GROUPS,
  )

/** The checkpoint in a line of the exported file; null: the line holds none, or holds more than one. */
export function checkpointIn(line: string): SignedCheckpoint | null {
  try {
    const signed = members(parsed(line), 'a line', 'checkpoint', 'signatures') as unknown as SignedCheckpoint
    return Number.isSafeInteger(signed.checkpoint?.number) ? signed : null
  } catch {
    return null
  }
}

/**
 * What is wrong unless a checkpoint is signed by its key, and at a rotation also by the next one, while these keys are valid,
 * and has no other signature.
 */
export function wrongWithSignature(
  checkpoint: Checkpoint,
  body: string,
  signatures: unknown,
  keys: readonly PublishedKey[],
): string | null {
  const ids = [checkpoint.key, ...(checkpoint.next_key === undefined ? [] : [checkpoint.next_key])]
  const list: readonly unknown[] = Array.isArray(signatures) ? signatures : []
  if (list.length > ids.length) return 'has a signature that is not its own'
  for (const id of ids) {
    const key = keys.find((one) => one?.id === id)
    if (key === undefined) return 'has a key that is not among the given ones'
    const isInTime = checkpoint.at >= key.from && (key.until === null || checkpoint.at <= key.until)
    const isSigned = list.some(
      (one) => isSignature(one) && one.key === id && isSignedBy(key, body, one.signature),
    )
    if (!isInTime || !isSigned) return 'is not signed'
  }
  return null
}

const isSignature = (value: unknown): value is Signature =>
  Object.keys(value ?? {})
    .sort()
    .join() === 'key,signature'

function isSignedBy({ id, public_key: publicKey }: PublishedKey, body: string, signature: string): boolean {
  try {
    if (keyId(publicKey) !== id || !SIGNATURE.test(signature)) return false
    const key = createPublicKey({ key: { crv: 'Ed25519', kty: 'OKP', x: publicKey }, format: 'jwk' })
    if (hasSmallOrder(Buffer.from(publicKey, 'base64url'))) return false
    return verify(null, Buffer.from(body), key, Buffer.from(signature, 'base64url'))
  } catch {
    return false
  }
}

/** Null: the value is none that a checkpoint has. */
export function canonicalOrNull(value: unknown): string | null {
  try {
    return canonical(value)
  } catch {
    return null
  }
}
