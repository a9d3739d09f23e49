/** Checkpoints from the database and from an exported file: their signatures, and whether both are the same. */
import { createPublicKey, verify } from 'node:crypto'
import { canonical } from '../receipt-check/canonical.ts'
import type { PublishedKey } from '../receipt-check/verify.ts'
import type { Checkpoint, SignedCheckpoint } from './checkpoint-text.ts'

/** By its key, and at a rotation by the next one too, at times of theirs. */
export function isSigned(
  checkpoint: Checkpoint,
  body: string,
  signatures: string,
  keys: readonly PublishedKey[],
): boolean {
  const given = parsedOrNull(signatures)
  const needed = [checkpoint.key, ...(checkpoint.next_key === undefined ? [] : [checkpoint.next_key])]
  return needed.every((id) => {
    const key = keys.find((own) => own.id === id)
    const own = Array.isArray(given) ? given.find((one) => one?.key === id) : undefined
    if (key === undefined || typeof own?.signature !== 'string') return false
    if (checkpoint.at < key.from || (key.until !== null && checkpoint.at > key.until)) return false
    const jwk = { crv: 'Ed25519', kty: 'OKP', x: key.public_key }
    return verify(
      null,
      Buffer.from(body),
      createPublicKey({ key: jwk, format: 'jwk' }),
      Buffer.from(own.signature, 'base64url'),
    )
  })
}

/** The exported checkpoints, as they are compared with those of the database, in order. */
export function exportedCheckpoints(exported: Iterable<SignedCheckpoint>) {
  const each = exported[Symbol.iterator]()
  let next = each.next()
  let count = 0
  const isAgreed = ({ checkpoint }: SignedCheckpoint, body: string): boolean =>
    canonicalOrNull(checkpoint) === body
  return {
    /** Whether all exported checkpoints of this number are this one; there may be none. */
    agrees(number: number, body: string): boolean {
      let agreed = true
      for (; !next.done && next.value.checkpoint.number <= number; next = each.next()) {
        count += 1
        // A file that several nodes write may repeat a checkpoint, but not go back.
        agreed &&= next.value.checkpoint.number === number && isAgreed(next.value, body)
      }
      return agreed
    },
    /** How many the database has not. */
    left(): number {
      let left = 0
      for (; !next.done; next = each.next()) left += 1
      return left
    },
    count: () => count,
  }
}

export function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export function canonicalOrNull(value: unknown): string | null {
  try {
    return canonical(value)
  } catch {
    return null
  }
}
