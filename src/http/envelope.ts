/** The envelope that the specification puts around every result in JSON. */
import type { Body } from '../compute/result.ts'

/** A reply to this size is joined: it is sent at once. */
const SMALL_BYTES = 64 * 1024

/** @param data JSON, as text or as UTF-8 */
export function enveloped(data: Body, message: string | null = null): Body {
  const tail = message === null ? '}' : `,"message":${JSON.stringify(message)}}`
  if (typeof data === 'string') return `${HEAD}${data}${tail}`
  const pieces = [HEAD_BYTES, ...[data].flat(), Buffer.from(tail)]
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return length > SMALL_BYTES ? pieces : Buffer.concat(pieces, length)
}

const HEAD = '{"success":true,"data":'
const HEAD_BYTES = Buffer.from(HEAD)
