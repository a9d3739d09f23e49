/** Checks a receipt against published keys by Web Crypto, which Node, browsers and other runtimes have (docs/receipts.md). */

import {
  bytesOf,
  dataOf,
  type Fields,
  fail,
  fields,
  hash,
  members,
  opened,
  refuse,
  textOf,
  whole,
} from './receipt-values.ts'
import { climb, contentOf, leafHash, sha256 } from './web-hash.ts'

export { InvalidReceipt } from './receipt-values.ts'

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
  /** The body of the request, as it was sent. */
  readonly request?: string | Uint8Array
  /** The reply as it was received, or its `data`. Needed with the request of a success, and refused for a failure, whose reply no receipt proves. */
  readonly reply?: string | Uint8Array
}

/** The facts that a valid receipt proves. */
export interface ProvenCall {
  /** The fields of the audit row. */
  readonly leaf: Readonly<Record<string, string | number | boolean | null>>
  /** The time by which the call was signed, in epoch milliseconds. */
  readonly signedAt: number
  readonly keyId: string
  /** Whether the request, and the reply of a success, were given and are those of the call. */
  readonly contentMatches: boolean
}

/**
 * Rejects with InvalidReceipt.
 * @param given the receipt, or the reply that holds it: the JSON value, or its text
 */
export async function verifyReceipt(given: unknown, options: ReceiptOptions): Promise<ProvenCall> {
  const receipt = opened(given)
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
  const signed = fields(checkpoint, 'checkpoint')
  await checkSignatures(signed, signatures, publishedKeys(options.keys))
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
  const entry = entryOf(signed, stream, whole(number))
  const [first, last] = [whole(entry.first), whole(entry.last)]
  const root = await climb(await leafHash(textOf(row)), whole(index), whole(leaves), path)
  const groupText = textOf({ at, leaves, number: whole(number), previous: hash(previous), root, stream })
  const link = await leafHash(groupText)
  const top = await climb(link, whole(number) - first, last - first + 1, way)
  // The root decides; the other two are parts of a checkpoint that no service makes.
  if (top !== hash(entry.root) || row.at !== at || (number === last && link !== entry.head))
    fail('it was altered: the row, the group or a hash is not the one that was signed')
  return {
    leaf: row as ProvenCall['leaf'],
    signedAt: whole(signed.at),
    keyId: String(signed.key),
    contentMatches: await checkContent(row, options),
  }
}
/** The list of keys. @param given the list, or the reply or `data` in which the service publishes it */
export function publishedKeys(given: unknown): readonly PublishedKey[] {
  if (Array.isArray(given)) return given
  const { keys } = opened(given)
  return Array.isArray(keys) ? keys : fail('the given keys have no list of keys')
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

/** A checkpoint is signed by its key, at a rotation also by the next one. No other signature may be there, since nothing would check it. */
async function checkSignatures(
  checkpoint: Fields,
  signatures: unknown,
  keys: readonly PublishedKey[],
): Promise<void> {
  const names = [checkpoint.key, ...(Object.hasOwn(checkpoint, 'next_key') ? [checkpoint.next_key] : [])]
  const given = (Array.isArray(signatures) ? signatures : []).map((one) =>
    members(one, 'a signature', 'key', 'signature'),
  )
  if (given.length > names.length) fail('it has a signature that is not of its checkpoint')
  for (const name of names) {
    const key = keys.find((one) => one?.id === name)
    if (key === undefined) return fail(`the key ${String(name)} is not among the given ones`)
    const signed = given.find((one) => one.key === name)
    if (signed === undefined) return fail('the signature is missing')
    await checkSignature(checkpoint, signed.signature, key)
  }
}

async function checkSignature(checkpoint: Fields, signature: unknown, key: PublishedKey): Promise<void> {
  const bytes = fromBase64(key.public_key, PUBLIC_KEY)
  if (key.algorithm !== 'Ed25519' || (await sha256(bytes)).slice(0, 16) !== key.id)
    fail('a given key is malformed')
  if (hasSmallOrder(bytes)) fail('a given key has a small order, so that anybody can sign by it')
  const at = whole(checkpoint.at)
  if (at < whole(key.from) || (key.until !== null && at > whole(key.until)))
    fail('the key did not sign at this time')
  const imported = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
  const text = new TextEncoder().encode(textOf(checkpoint))
  if (!(await crypto.subtle.verify('Ed25519', imported, fromBase64(signature, SIGNATURE), text)))
    fail('it was altered: the signature is not one of its checkpoint')
}

/** The row has one digest: over request and result of a success, over the request of a failure. */
async function checkContent(row: Fields, { reply, request }: ReceiptOptions): Promise<boolean> {
  if (request === undefined && reply === undefined) return false
  const isSuccess = row.status === 200
  if (!isSuccess && reply !== undefined)
    return refuse('The receipt of a failed call proves no reply: give the request alone.')
  if (request === undefined || (isSuccess && reply === undefined))
    return refuse('Request and reply can be checked together only: give both, or neither.')
  const data = reply === undefined ? new Uint8Array() : dataOf(bytesOf(reply))
  const content = await contentOf(bytesOf(request), data)
  // The rows of a development version may have 64 further digits.
  const isOwn = typeof row.content === 'string' && row.content.slice(0, 64) === content
  return isOwn || fail(`the request${isSuccess ? ' or the reply' : ''} is not that of the call`)
}

/**
 * Base64url of 32 and of 64 bytes. The last digit must have zeros for the bits that belong to no byte, so that each key and
 * signature has only one spelling.
 */
const PUBLIC_KEY = /^[\w-]{42}[AEIMQUYcgkosw048]$/
export const SIGNATURE = /^[\w-]{85}[AQgw]$/

function fromBase64(text: unknown, form: RegExp): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string' || !form.test(text)) return fail('a key or signature is malformed')
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
}

const PRIME = 2n ** 255n - 19n

/**
 * Whether the order of the key's point divides 8: its y is 0, 1, −1, or the y of a point whose double has the y 0.
 * @param key 32 bytes
 */
export function hasSmallOrder(key: Uint8Array): boolean {
  const bits = key.reduceRight((sum, byte) => sum * 256n + BigInt(byte), 0n)
  // The highest bit is the sign of x.
  const y = bits % 2n ** 255n
  const square = y * y
  return (y * (square - 1n) * (121_666n * (2n * square - 1n) - 121_665n * square * square)) % PRIME === 0n
}
