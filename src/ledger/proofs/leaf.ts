/** The leaf of an audit row: its canonical text, by RFC 8785 (JSON with sorted names), and its hash. */

import { digest } from '../../wire/proofs/hash.ts'
import type { AuditRow } from '../rules/types.ts'

/** A text that JSON prints as it is, apart from the quotes. */
const PLAIN = /^[ !#-[\]-~]*$/

/** The text as JSON prints it, without the quotes. */
const printed = (text: string): string => (PLAIN.test(text) ? text : JSON.stringify(text).slice(1, -1))
const orNull = (text: string | null): string => (text === null ? 'null' : `"${printed(text)}"`)

/** SHA-256 of the salt and the client's address. @param salt hexadecimal */
export const addressDigest = (salt: string, ip: string): string =>
  digest(Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(ip)]))

/**
 * The hashed bytes: the byte 0 of a leaf and its JSON, in one piece, because each further piece costs time.
 * @param address the digest of the client's address
 */
export function markedLeaf(row: AuditRow, address: string, version: string): string {
  const { toContent, toDuration, toEnd, toRequestId } = frameOf(row, version)
  const id = printed(row.id)
  const requestId = row.requestId === row.id ? id : printed(row.requestId)
  return `\0{"account":${row.accountId ?? 0},"address":"${address}","at":${row.at}${toContent}${row.content ?? 'null'}${toDuration}${row.durationMs},"id":"${id}","key":${row.keyId}${toRequestId}${requestId}${toEnd}`
}

/** The text between the values that differ from row to row. */
interface Frame {
  /** The row that it was made of. */
  readonly row: AuditRow
  readonly version: string
  readonly toContent: string
  readonly toDuration: string
  readonly toRequestId: string
  readonly toEnd: string
}

const MOST_FRAMES = 1_000
/** The frame of the last success of a single call to each path: making a frame takes as long as hashing the leaf. */
const frames = new Map<string, Frame>()

function frameOf(row: AuditRow, version: string): Frame {
  if (row.code !== null || row.calls !== 1) return newFrame(row, version)
  const found = frames.get(row.path)
  if (found !== undefined && isOf(found, row, version)) return found
  if (frames.size >= MOST_FRAMES) frames.clear()
  const frame = newFrame(row, version, inOnePiece)
  frames.set(row.path, frame)
  return frame
}

function newFrame(row: AuditRow, version: string, made = (text: string) => text): Frame {
  const quote = row.content === null ? '' : '"'
  return {
    row,
    version,
    toContent: made(`,"calls":${row.calls},"code":${orNull(row.code)},"content":${quote}`),
    toDuration: made(`${quote},"credits":${row.credits},"detail":${orNull(row.detail)},"duration_ms":`),
    toRequestId: made(
      `,"kind":"${printed(row.kind)}","method":"${printed(row.method)}","path":"${printed(row.path)}","replayed":${row.replayed},"request_id":"`,
    ),
    toEnd: made(`","status":${row.status},"version":"${printed(version)}"}`),
  }
}

const isOf = ({ row, version }: Frame, other: AuditRow, otherVersion: string): boolean =>
  version === otherVersion &&
  (row.content === null) === (other.content === null) &&
  row.calls === other.calls &&
  row.code === other.code &&
  row.credits === other.credits &&
  row.detail === other.detail &&
  row.kind === other.kind &&
  row.method === other.method &&
  row.replayed === other.replayed &&
  row.status === other.status

/** V8 keeps a text that was joined as its parts, and copies each of them when the whole is read. */
const inOnePiece = (text: string): string => Buffer.from(text).toString()
