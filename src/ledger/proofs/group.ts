/**
 * The proof of a group of audit rows, written in their transaction: a Merkle tree over their leaves, chained to the group
 * before it in the same stream.
 */

import { digest, leafHash, treeRoot } from '../../wire/proofs/hash.ts'
import { BrokenAssertion } from '../rules/assertions.ts'
import type { AuditRow } from '../rules/types.ts'
import { type AddressSalt, markedLeaf, newSalt, type Salts, saltedAddress } from './leaf.ts'

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
