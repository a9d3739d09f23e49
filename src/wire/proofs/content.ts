/** The content of an audit row: one digest of the request's body and of the result (docs/receipts.md). */
import { SHORT_BYTES } from '../receipt-check/web-hash.ts'
import { digest, digestOf } from './hash.ts'

type Body = string | Uint8Array | readonly Uint8Array[]

/** The body of a request or of a reply, in one or more pieces. */
export interface Sent {
  readonly body: Body
  /** SHA-256 of a long body, hexadecimal; null: the body is short, or was not hashed yet. */
  readonly digest: string | null
}

/** Takes the place of the length of a long body. */
const LONG = 0xffff

export const isShort = (bytes: number): boolean => bytes <= SHORT_BYTES

/** SHA-256, hexadecimal; null: the body is short. */
export function longDigest(body: Body): string | null {
  const pieces = typeof body === 'string' || body instanceof Uint8Array ? [body] : body
  return isShort(pieces.reduce((sum, { length }) => sum + length, 0)) ? null : digestOfAll(body)
}

const digestOfAll = (body: Body): string =>
  typeof body === 'string' || body instanceof Uint8Array ? digest(body) : digestOf(body)

/** Room for two bodies: UTF-8 takes up to three bytes for a character of a short text. */
const room = Buffer.alloc(1 + 2 * (2 + 3 * SHORT_BYTES))

/** SHA-256, hexadecimal. */
export function contentOf(request: Sent, result: Sent): string {
  // The first byte is 0, as that of every leaf.
  const end = written(result, written(request, 1))
  return digest(room.subarray(0, end))
}

/** Writes the length and bytes of a short body, or LONG and the digest of a long one; returns the offset after them. */
function written({ body, digest: known }: Sent, at: number): number {
  const start = at + 2
  const bytes = known === null ? copied(body, start) : LONG
  const length = isShort(bytes) ? bytes : LONG
  room[at] = length >> 8
  room[at + 1] = length & 0xff
  return start + (length === LONG ? room.write(known ?? digestOfAll(body), start, 'hex') : length)
}

/** Copies a short body to `room`; returns the number of bytes of any body. */
function copied(body: Body, at: number): number {
  if (typeof body === 'string') return room.write(body, at)
  const bytes = body instanceof Uint8Array ? body : Buffer.concat(body)
  if (isShort(bytes.length)) room.set(bytes, at)
  return bytes.length
}
