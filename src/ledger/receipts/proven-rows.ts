/** Reads audit rows and their groups. All rows of a group have its time, by which an index finds them. */
import { digest } from '../../wire/proofs/hash.ts'
import { addressDigest, inOrder, markedLeaf, SALT_BYTES } from '../proofs/group.ts'
import type { AuditRow } from '../rules/types.ts'
import { rows, type Sql, type Transaction } from '../store/sql.ts'

export interface ProvenAuditRow extends AuditRow {
  readonly stream: number | null
  readonly groupNumber: number | null
  /** The digest of the client's address. */
  readonly address: string
}

const FLAGS = new Map([
  [0, false],
  [1, true],
])

/** An erased client address is empty; its row keeps the digest of the address, which proofs need. */
const ERASED = ''
const DIGEST_DIGITS = 64
/** The length of a salt is fixed: otherwise a forger could move bytes between the salt and the address after it. */
const SALT_DIGITS = 2 * SALT_BYTES

const hex = (bytes: Uint8Array | null): string | null =>
  bytes === null ? null : Buffer.from(bytes).toString('hex')

const NUMBERS = ['at', 'key_id', 'status', 'credits', 'calls', 'duration_ms', 'replayed'] as const
const TEXTS = ['id', 'kind', 'method', 'path', 'code', 'ip', 'request_id', 'detail'] as const
const COLUMNS = [...NUMBERS, ...TEXTS, 'stream', 'group_number', 'content', 'address', 'salt'] as const

export const auditRows = ({ db }: Pick<Sql, 'db'>) =>
  db
    .selectFrom('audit')
    .leftJoin('audit_salts as s', 's.account_id', 'audit.account_id')
    .select(['audit.account_id', ...COLUMNS])

type Found = ReturnType<typeof auditRows> extends { execute(): Promise<(infer Row)[]> } ? Row : never

/** SQLite accepts a text or bytes in place of a number: they may print the same, but queries would not find them by value. */
const isOfTypes = (row: Found): boolean =>
  [row.account_id, ...NUMBERS.map((name) => row[name])].every(
    (value) => value === null || typeof value === 'number',
  ) && TEXTS.every((name) => row[name] === null || typeof row[name] === 'string')

/** The digest of the client's address; empty: the row is not as the service wrote it, and no proof will agree with it. */
function addressOf(row: Found): string {
  // A row has a salt of its own in the place of the digest, or that of its account.
  const digestOrSalt = hex(row.address) ?? hex(row.salt) ?? ''
  if (!isOfTypes(row)) return ''
  if (row.ip === ERASED && digestOrSalt.length === DIGEST_DIGITS) return digestOrSalt
  return digestOrSalt.length === SALT_DIGITS ? addressDigest(digestOrSalt, row.ip) : ''
}

export function auditRowFrom(row: Found): ProvenAuditRow {
  return {
    id: row.id,
    at: row.at,
    accountId: row.account_id,
    keyId: row.key_id,
    kind: row.kind,
    method: row.method,
    path: row.path,
    status: row.status,
    code: row.code,
    credits: row.credits,
    calls: row.calls,
    ip: row.ip,
    requestId: row.request_id,
    durationMs: row.duration_ms,
    // Any other number is a forgery; it is left unchanged, so that the leaf differs.
    replayed: (FLAGS.get(row.replayed) ?? row.replayed) as boolean,
    detail: row.detail,
    content: hex(row.content),
    stream: row.stream,
    groupNumber: row.group_number,
    address: addressOf(row),
  }
}

/** The leaf hashes of a group. @param rows in the order of their leaves */
export const leavesOf = (rows: readonly ProvenAuditRow[], version: string): string[] =>
  rows.map((row) => digest(markedLeaf(row, row.address, version)))

export interface FoundGroup {
  readonly stream: number
  readonly number: number
  readonly at: number
  readonly leaves: number
  readonly link: string
}

/** The groups of a stream, in order. */
export function* groupsOf(
  { db }: Pick<Sql, 'db'>,
  stream: number,
  from: number,
  to: number,
  limit: number,
): Transaction<FoundGroup[]> {
  const found = yield* rows(
    db
      .selectFrom('audit_groups')
      .select(['stream', 'number', 'at', 'leaves', 'link'])
      .where('stream', '=', stream)
      .where('number', '>=', from)
      .where('number', '<=', to)
      .orderBy('number')
      .limit(limit),
  )
  return found.map((group) => ({ ...group, link: hex(group.link)! }))
}

/** The rows of some groups of one stream, by the number of the group, and in the order of their leaves. */
export function* rowsOf(
  sql: Pick<Sql, 'db'>,
  stream: number,
  groups: readonly Pick<FoundGroup, 'at' | 'number'>[],
): Transaction<Map<number, ProvenAuditRow[]>> {
  const [first, last] = [groups[0], groups.at(-1)]
  if (first === undefined || last === undefined) return new Map()
  const times = [...new Set(groups.map(({ at }) => at))]
  const found = yield* rows(
    auditRows(sql)
      .where('at', 'in', times)
      .where('stream', '=', stream)
      .where('group_number', '>=', first.number)
      .where('group_number', '<=', last.number),
  )
  return Map.groupBy(inOrder(found.map(auditRowFrom)), ({ groupNumber }) => groupNumber!)
}
