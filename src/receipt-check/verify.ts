/** Checks a receipt against published keys by Web Crypto, which Node, browsers and other runtimes have (docs/receipts.md). */
import { checkRow, type ProvenRow } from './check-row.ts'
import { contentOf } from './content.ts'
import {
  bytesOf,
  dataOf,
  type Fields,
  fail,
  fields,
  hash,
  members,
  opened,
  textOf,
  whole,
} from './reading.ts'
import { hasSmallOrder } from './small-order.ts'
import { climb, leafHash, sha256 } from './web-hash.ts'

export { InvalidReceipt } from './reading.ts'

/** A key as `/.well-known/quantd-keys.json` publishes it. */
export interface PublishedKey {
  readonly id: string
  readonly algorithm: string
  /** 32 bytes, base64url. */
  readonly public_key: string
  /** Epoch milliseconds. */
  readonly from: number
  readonly until: number | null
}

export interface ReceiptOptions {
  /** A kept reply of `/.well-known/quantd-keys.json`, its `data`, or the list in it. Keys from another source prove nothing. */
  readonly keys: unknown
  /** The body of the request as it was sent, and the reply as it was received, or its `data`. Give both or neither. */
  readonly request?: string | Uint8Array
  readonly reply?: string | Uint8Array
}

/** The facts that a valid receipt proves. */
export interface ProvenCall {
  /** The fields of the audit row. */
  readonly leaf: Readonly<Record<string, string | number | boolean | null>>
  /** The time by which the call was signed, in epoch milliseconds. */
  readonly signedAt: number
  readonly keyId: string
  /** Whether request and reply were given, and are those of the call. */
  readonly contentMatches: boolean
  /** For the receipt of a row: its number, request and result. */
  readonly row?: ProvenRow
}

/**
 * Rejects with InvalidReceipt.
 * @param receipt the receipt of a call or of a row, or the reply that holds it: the JSON value, or its text
 */
export async function verifyReceipt(receipt: unknown, options: ReceiptOptions): Promise<ProvenCall> {
  const document = opened(receipt)
  if (document.quantd_row_receipt === undefined) return await verifyCall(document, options)
  const proven = await verifyCall(fields(document.receipt, 'the receipt'), options)
  return { ...proven, row: await checkRow(document, proven.leaf.content) }
}

/** The list of keys. @param given the list, or the reply or `data` in which the service publishes it */
export function publishedKeys(given: unknown): readonly PublishedKey[] {
  if (Array.isArray(given)) return given
  const { keys } = opened(given)
  return Array.isArray(keys) ? keys : fail('the given keys have no list of keys')
}

async function verifyCall(receipt: Fields, options: ReceiptOptions): Promise<ProvenCall> {
  if (receipt.quantd_receipt !== 1) fail('it is no receipt of version 1')
  const { checkpoint, group, index, leaf, path, signatures, way } = members(
    receipt,
    'it',
    'quantd_receipt',
    'leaf',
    'index',
    'path',
    'group',
    'way',
    'checkpoint',
    'signatures',
  )
  const row = fields(leaf, 'leaf')
  const { at, leaves, number, previous, stream } = members(
    group,
    'group',
    'at',
    'leaves',
    'number',
    'previous',
    'stream',
  )
  if (row.at !== at) fail('the row has another time than its group')
  const root = await climb(await leafHash(textOf(row)), whole(index), whole(leaves), path)
  const groupText = textOf({ at, leaves, number: whole(number), previous: hash(previous), root, stream })
  const link = await leafHash(groupText)
  const signed = fields(checkpoint, 'checkpoint')
  const entry = entryOf(signed, stream, whole(number))
  const [first, last] = [whole(entry.first), whole(entry.last)]
  if (number === last && link !== entry.head) fail('the group is not the head of its stream')
  if ((await climb(link, whole(number) - first, last - first + 1, way)) !== hash(entry.root))
    fail('the row is not in the tree that the checkpoint signs')
  await checkSignature(signed, signatures, publishedKeys(options.keys))
  return {
    leaf: row as ProvenCall['leaf'],
    signedAt: whole(signed.at),
    keyId: String(signed.key),
    contentMatches: await checkContent(row, options),
  }
}

function entryOf(checkpoint: Fields, stream: unknown, number: number): Fields {
  const { streams } = checkpoint
  if (!Array.isArray(streams)) return fail('the checkpoint has no streams')
  const entries = streams.map((entry) => fields(entry, 'a stream'))
  const found = entries.find(
    (entry) => entry.stream === stream && whole(entry.first) <= number && number <= whole(entry.last),
  )
  return found ?? fail('the checkpoint does not mention the group')
}

async function checkSignature(
  checkpoint: Fields,
  signatures: unknown,
  keys: readonly PublishedKey[],
): Promise<void> {
  const key = keys.find((one) => one?.id === checkpoint.key)
  if (key === undefined) return fail(`the key ${String(checkpoint.key)} is not among the given ones`)
  const bytes = fromBase64(key.public_key, PUBLIC_KEY)
  if (key.algorithm !== 'Ed25519' || (await sha256(bytes)).slice(0, 16) !== key.id)
    fail('a given key is malformed')
  if (hasSmallOrder(bytes)) fail('a given key has a small order, so that anybody can sign by it')
  const at = whole(checkpoint.at)
  if (at < key.from || (key.until !== null && at > key.until)) fail('the key did not sign at this time')
  const signed = (Array.isArray(signatures) ? signatures : []).map((one) =>
    members(one, 'a signature', 'key', 'signature'),
  )
  const ofKey = signed.find((one) => one.key === key.id)
  if (ofKey === undefined) return fail('the signature is missing')
  const imported = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
  const text = new TextEncoder().encode(textOf(checkpoint))
  if (!(await crypto.subtle.verify('Ed25519', imported, fromBase64(ofKey.signature, SIGNATURE), text)))
    fail('the signature is wrong')
}

/** Request and reply are needed together, because the row has one digest over both. */
async function checkContent(row: Fields, { reply, request }: ReceiptOptions): Promise<boolean> {
  if (request === undefined && reply === undefined) return false
  if (request === undefined || reply === undefined)
    return fail('request and reply can be checked together only')
  const data = row.status === 200 ? dataOf(bytesOf(reply)) : new Uint8Array()
  const content = await contentOf(bytesOf(request), data)
  // The root of the rows may follow the digest.
  const isOwn = typeof row.content === 'string' && row.content.slice(0, 64) === content
  return isOwn || fail('the request or the reply is not that of the call')
}

/**
 * Base64url of 32 and of 64 bytes. The last digit must have zeros for the bits that belong to no byte, so that each key and
 * signature has only one spelling.
 */
const PUBLIC_KEY = /^[\w-]{42}[AEIMQUYcgkosw048]$/
const SIGNATURE = /^[\w-]{85}[AQgw]$/

function fromBase64(text: unknown, form: RegExp): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string' || !form.test(text)) return fail('a key or signature is malformed')
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
}
