/**
 * The leaf of an audit row: its canonical text, by RFC 8785 (JSON with sorted names), and its hash. The client's address is in it as a
 * salted digest.
 */

import { randomFillSync } from 'node:crypto'
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

function newFrame(row: AuditRow, version: string, joined = (text: string) => text): Frame {
  const quote = row.content === null ? '' : '"'
  return {
    row,
    version,
    toContent: joined(`,"calls":${row.calls},"code":${orNull(row.code)},"content":${quote}`),
    toDuration: joined(`${quote},"credits":${row.credits},"detail":${orNull(row.detail)},"duration_ms":`),
    toRequestId: joined(
      `,"kind":"${printed(row.kind)}","method":"${printed(row.method)}","path":"${printed(row.path)}","replayed":${row.replayed},"request_id":"`,
    ),
    toEnd: joined(`","status":${row.status},"version":"${printed(version)}"}`),
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

export const SALT_BYTES = 16
/** The numbers of accounts of a stream, and of addresses of an account, that are cached. */
const MOST_ACCOUNTS = 10_000
const MOST_ADDRESSES = 100

export interface AddressSalt {
  /** Hexadecimal. */
  readonly salt: string
  /** By address. */
  readonly digests: Map<string, string>
}

/** By account; 0 stands for rows without one. */
export type Salts = ReadonlyMap<number, AddressSalt>

export const addressSalt = (salt: string): AddressSalt => ({ salt, digests: new Map() })

export const newSalt = (): AddressSalt =>
  addressSalt(randomFillSync(Buffer.alloc(SALT_BYTES)).toString('hex'))

/** Adds salts to a cache. Beyond its limit the oldest are removed, and will be read again. */
export function remember(salts: Map<number, AddressSalt>, added: Salts): void {
  for (const [accountId, salt] of added) salts.set(accountId, salt)
  for (const accountId of salts.keys()) {
    if (salts.size <= MOST_ACCOUNTS) return
    salts.delete(accountId)
  }
}

export function saltedAddress({ digests, salt }: AddressSalt, ip: string): string {
  const found = digests.get(ip)
  if (found !== undefined) return found
  if (digests.size >= MOST_ADDRESSES) digests.clear()
  const digest = addressDigest(salt, ip)
  digests.set(ip, digest)
  return digest
}
