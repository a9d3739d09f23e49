/** The leaf of an audit row: its canonical text, by RFC 8785 (JSON with sorted names), and its hash. */
import type { AuditRow } from '../ledger/types.ts'
import { digest, leafHash } from './hash.ts'

/** A text that JSON prints as it is, apart from the quotes. */
const PLAIN = /^[ !#-[\]-~]*$/

const printed = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text))
/** Of names that many rows have. */
const REMEMBERED = 1_000
const names = new Map<string, string>()

function printedName(text: string): string {
  const found = names.get(text)
  if (found !== undefined) return found
  if (names.size >= REMEMBERED) names.clear()
  const name = printed(text)
  names.set(text, name)
  return name
}

const orNull = (text: string | null): string => (text === null ? 'null' : printed(text))

/**
 * The digests of a request's body and of its result, in one, and the root of its rows.
 * @param request SHA-256 of the body
 * @param data SHA-256 of the data of the reply
 * @param rows the root; empty: it is no batch and no columns, or failed
 */
export const contentOf = (request: string, data: string, rows: string): string =>
  leafHash(`{"data":"${data}","request":"${request}"}`) + rows

/** SHA-256 of the salt and the client's address. @param salt hexadecimal */
export const addressDigest = (salt: string, ip: string): string =>
  digest(Buffer.concat([Buffer.from(salt, 'hex'), Buffer.from(ip)]))

/**
 * What is hashed: the byte 0 of a leaf and its JSON, in one piece, because each further piece costs time.
 * @param address the digest of the client's address
 */
export const markedLeaf = (row: AuditRow, address: string, version: string): string =>
  `\0{"account":${row.accountId ?? 0},"address":"${address}","at":${row.at},"calls":${row.calls},"code":${orNull(row.code)},"content":${orNull(row.content)},"credits":${row.credits},"detail":${orNull(row.detail)},"duration_ms":${row.durationMs},"id":${printed(row.id)},"key":${row.keyId},"kind":${printedName(row.kind)},"method":${printedName(row.method)},"path":${printedName(row.path)},"replayed":${row.replayed},"request_id":${printed(row.requestId)},"status":${row.status},"version":${printedName(version)}}`
