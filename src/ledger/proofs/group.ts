/**
 * The proof of a group of audit rows, written in their transaction: a Merkle tree over their leaves, chained to the group
 * before it in the same stream; the leaf of a row, and the salts that hide the addresses of clients in it.
 */
import { randomFillSync } from 'node:crypto'
import { digest, leafHash, treeRoot } from '../../wire/proofs/hash.ts'
import { BrokenAssertion } from '../rules/assertions.ts'
import type { AuditRow } from '../rules/types.ts'

/** A sequence of groups that one writer makes. */
export interface Stream {
  readonly id: number
  /** The version of the service that writes the stream; part of every leaf. */
  readonly version: string
  /** The number of the newest group; 0: there is none yet. */
  readonly number: number
  /** The hash of the newest group, or of the stream itself. */
  readonly link: string
}

/** All rows of a group have its time. */
export interface ProvenGroup {
  readonly stream: number
  readonly number: number
  readonly at: number
  /** The account of one of its rows. */
  readonly accountId: number
  readonly leaves: number
  readonly link: string
}

export interface ProvenRow extends AuditRow {
  readonly stream: number
  readonly groupNumber: number
}

export interface Proven {
  readonly audit: readonly ProvenRow[]
  readonly groups: readonly ProvenGroup[]
  /** New salts, for accounts that had none. */
  readonly salts: Salts
  /** The stream after the group. */
  readonly stream: Stream
}

const streamText = ({ id, openedAt, version }: StreamFacts): string =>
  `{"opened_at":${openedAt},"stream":${id},"version":${JSON.stringify(version)}}`

interface StreamFacts {
  readonly id: number
  readonly openedAt: number
  readonly version: string
}

export const newStream = (facts: StreamFacts): Stream => ({
  id: facts.id,
  version: facts.version,
  number: 0,
  link: leafHash(streamText(facts)),
})

/** The leaf hash of the group's canonical text, which contains the link before it. */
export const groupLink = (
  { at, leaves, number, stream }: Pick<ProvenGroup, 'at' | 'leaves' | 'number' | 'stream'>,
  previous: string,
  root: string,
): string =>
  leafHash(
    `{"at":${at},"leaves":${leaves},"number":${number},"previous":"${previous}","root":"${root}","stream":${stream}}`,
  )

/** The order of the leaves in their tree: by id. */
export const inOrder = <Row extends { readonly id: string }>(rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Throws BrokenAssertion unless a proof of rows continues the stream by one group. */
export function assertFollows(stream: Stream, rows: readonly AuditRow[], proven: Proven): void {
  const number = stream.number + (rows.length === 0 ? 0 : 1)
  const [group] = proven.groups
  const isNext =
    proven.stream.id === stream.id &&
    proven.stream.number === number &&
    proven.groups.length === number - stream.number &&
    (group === undefined || (group.number === number && group.leaves === rows.length)) &&
    proven.audit.length === rows.length
  const strange = proven.audit.find(
    ({ at, groupNumber, stream: of }) => groupNumber !== number || of !== stream.id || at !== group?.at,
  )
  if (!isNext || strange !== undefined)
    throw new BrokenAssertion('group', {
      stream: stream.id,
      number,
      account_id: strange?.accountId ?? null,
      audit_id: strange?.id ?? null,
    })
}

/**
 * @param rows all of the same time
 * @param known the salts of the accounts that have one, in one or more maps
 */
export function prove(stream: Stream, rows: readonly AuditRow[], ...known: readonly Salts[]): Proven {
  const salts = new Map<number, AddressSalt>()
  if (rows.length === 0) return { audit: [], groups: [], salts, stream }
  const all = [...known, salts]
  const saltOf = (accountId: number): AddressSalt => {
    for (const map of all) {
      const found = map.get(accountId)
      if (found !== undefined) return found
    }
    const salt = newSalt()
    salts.set(accountId, salt)
    return salt
  }
  const number = stream.number + 1
  const leaves: string[] = []
  const audit = inOrder(rows).map((row): ProvenRow => {
    const address = saltedAddress(saltOf(row.accountId ?? 0), row.ip)
    leaves.push(digest(markedLeaf(row, address, stream.version), 'binary'))
    return { ...row, stream: stream.id, groupNumber: number }
  })
  const [{ accountId, at }] = audit
  const facts = { at, leaves: leaves.length, number, stream: stream.id }
  const root = Buffer.from(treeRoot(leaves, 'binary'), 'binary').toString('hex')
  const link = groupLink(facts, stream.link, root)
  return {
    audit,
    groups: [{ ...facts, accountId: accountId ?? 0, link }],
    salts,
    stream: { ...stream, number, link },
  }
}

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

const newSalt = (): AddressSalt => addressSalt(randomFillSync(Buffer.alloc(SALT_BYTES)).toString('hex'))

/** Adds salts to a cache. Beyond its limit the oldest are removed, and will be read again. */
export function remember(salts: Map<number, AddressSalt>, added: Salts): void {
  for (const [accountId, salt] of added) salts.set(accountId, salt)
  for (const accountId of salts.keys()) {
    if (salts.size <= MOST_ACCOUNTS) return
    salts.delete(accountId)
  }
}

function saltedAddress({ digests, salt }: AddressSalt, ip: string): string {
  const found = digests.get(ip)
  if (found !== undefined) return found
  if (digests.size >= MOST_ADDRESSES) digests.clear()
  const digest = addressDigest(salt, ip)
  digests.set(ip, digest)
  return digest
}
