/** The content of an audit row: one digest of the request's body and of the result (docs/receipts.md). */
import { SHORT_BYTES } from '../receipt-check/content.ts'
import { digest, digestOf } from './hash.ts'

type Body = string | Uint8Array | readonly Uint8Array[]

/** A body or a result. */
export interface Sent {
  /** In one or more pieces. */
  readonly body: Body
  /** SHA-256, hexadecimal, where it is long; null: it is short, or nobody asks. */
  readonly digest: string | null
}

/** In the place of the length of what is long. */
const LONG = 0xffff

export const isShort = (bytes: number): boolean => bytes <= SHORT_BYTES

/** Null: it is short. */
export function longDigest(body: Body): string | null {
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  return isShort(pieces.reduce((sum, { length }) => sum + length, 0)) ? null : digestOfAll(body)
}

const digestOfAll = (body: Body): string =>
  typeof body === 'string' || body instanceof Uint8Array ? digest(body) : digestOf(body)

/** A short text of so many characters has up to three times as many bytes. */
const room = Buffer.alloc(1 + 2 * (2 + 3 * SHORT_BYTES))

/** @param rowsRoot the root of its rows; empty: it is no batch and no columns, or failed */
export function contentOf(request: Sent, result: Sent, rowsRoot: string): string {
  // The first byte is 0, as that of every leaf.
  const end = written(result, written(request, 1))
  return digest(room.subarray(0, end)) + rowsRoot
}

/** Writes the length and the bytes, or the digest; returns where they end. */
function written({ body, digest: own }: Sent, at: number): number {
  const start = at + 2
  const bytes = own === null ? copied(body, start) : LONG
  const length = isShort(bytes) ? bytes : LONG
  room[at] = length >> 8
  room[at + 1] = length & 0xff
  return start + (length === LONG ? room.write(own ?? digestOfAll(body), start, 'hex') : length)
}

/** Copies what is short; returns how many bytes it has. */
function copied(body: Body, at: number): number {
  if (typeof body === 'string') return room.write(body, at)
  const bytes = body instanceof Uint8Array ? body : Buffer.concat(body)
  if (isShort(bytes.length)) room.set(bytes, at)
  return bytes.length
}
