/**
 * A checkpoint: its fields, its hash, and how it is read and checked; anybody may have written those of the database and of the
 * operator's file.
 */

import { createPublicKey, verify } from 'node:crypto'
import { parsedJson } from '../../base/text.ts'
import { leafHash } from '../../wire/proofs/hash.ts'
import { canonical, members, parsed } from '../../wire/receipt-check/receipt-values.ts'
import { hasSmallOrder, type PublishedKey, SIGNATURE } from '../../wire/receipt-check/verify.ts'
import { AUDIT_PROVEN_FROM, factOf } from '../store/facts.ts'
import { first, rows, type Sql, type Transaction } from '../store/sql.ts'
import { MOST_GROUPS } from '../store/streams.ts'
import { keyId, type Signature } from './signing-keys.ts'

/** The groups of a stream that a checkpoint adds. */
export interface StreamEntry {
  /** The numbers of the first and the last of these groups. */
  readonly first: number
  readonly last: number
  /** The link of the last group. */
  readonly head: string
  /** The root of the tree over the links of these groups. */
  readonly root: string
  readonly stream: number
}

export interface Checkpoint {
  /** Neither before the checkpoint before it, nor before a group that it adds. */
  readonly at: number
  /** The database's clock, if it was clearly behind `at`: it had been ahead, so the times of the groups are doubtful. */
  readonly clock?: number
  /** Rows from before may have been deleted by retention. */
  readonly kept_from: number
  /** The key that signs it. */
  readonly key: string
  /** At a rotation, the key that signs the next checkpoint, and also this one. */
  readonly next_key?: string
  /** Checkpoints are numbered from 1. */
  readonly number: number
  /** The leaf hash of the checkpoint before; null: this is the first. */
  readonly previous: string | null
  /** Rows from before have no proof. */
  readonly proven_from: number
  /** A random id of the database. */
  readonly service: string
  readonly streams: readonly StreamEntry[]
}

export interface SignedCheckpoint {
  readonly checkpoint: Checkpoint
  readonly signatures: readonly Signature[]
}

/** A row of the database: the checkpoint and its signatures as JSON. */
export interface KeptCheckpoint {
  readonly number: number
  readonly at: number
  readonly body: string
  readonly signatures: string
}

export const checkpointHash = (checkpoint: Checkpoint): string => leafHash(canonical(checkpoint))

/** The time of the database's clock when the checkpoint was made. */
export const clockOf = ({ at, clock }: Checkpoint): number => clock ?? at

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
    const key = keys.find((published) => published?.id === id)
    if (key === undefined) return 'has a key that is not among the given ones'
    const isInTime = checkpoint.at >= key.from && (key.until === null || checkpoint.at <= key.until)
    const isSigned = list.some(
      (signed) => isSignature(signed) && signed.key === id && isSignedBy(key, body, signed.signature),
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

/** 0: all rows have proofs. The migration that introduced them stored the time; the checkpoints sign it. */
export function* provenSince(sql: Sql, newest: Checkpoint | null): Transaction<number> {
  return newest?.proven_from ?? (yield* factOf<number>(sql, AUDIT_PROVEN_FROM)) ?? 0
}

/** A checkpoint as a line of the operator's file. */
export const lineOf = ({ body, signatures }: Pick<KeptCheckpoint, 'body' | 'signatures'>): string =>
  `{"checkpoint":${body},"signatures":${signatures}}`

/** The signed checkpoints whose numbers are greater than `after`, in order, each also as a line of JSON. */
export function* checkpointLines(
  { db }: Pick<Sql, 'db'>,
  after: number,
  limit: number,
): Transaction<(KeptCheckpoint & { readonly line: string })[]> {
  const found = yield* rows(
    db.selectFrom('checkpoints').selectAll().where('number', '>', after).orderBy('number').limit(limit),
  )
  return found.map((row) => ({
    ...row,
    line: lineOf(row),
  }))
}

export function* lastCheckpoint(sql: Sql): Transaction<Checkpoint | null> {
  return JSON.parse((yield* newestBody(sql)) ?? 'null')
}
