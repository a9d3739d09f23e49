/** Checks a receipt against published keys, by Web Crypto: in Node, in browsers and beside them (docs/receipts.md). */
import { canonical } from './canonical.ts'

/** The receipt proves nothing; the message says why. */
export class InvalidReceipt extends Error {
  override readonly name = 'InvalidReceipt'
}

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
  /** Keys that were fetched from the service before: a key from elsewhere proves nothing. */
  readonly keys: readonly PublishedKey[]
  /** The body of the request, as it was sent, and the reply, as it was received, or its `data`: both or neither. */
  readonly request?: string | Uint8Array
  readonly reply?: string | Uint8Array
}

/** What a valid receipt proves. */
export interface ProvenCall {
  /** The fields of the audit row. */
  readonly leaf: Readonly<Record<string, string | number | boolean | null>>
  /** When it was signed at the latest, in epoch milliseconds. */
  readonly signedAt: number
  readonly keyId: string
  /** Whether request and reply were given, and are those of the call. */
  readonly contentMatches: boolean
}

type Fields = Record<string, unknown>

const HASH = /^[0-9a-f]{64}$/
/** More than a tree of 2^53 leaves needs. */
const MOST_STEPS = 64
const REPLY = '{"success":true,"data":'

/** Rejects with InvalidReceipt. @param receipt the JSON value, or its text */
export async function verifyReceipt(receipt: unknown, options: ReceiptOptions): Promise<ProvenCall> {
  const { checkpoint, group, index, leaf, path, quantd_receipt, signatures, way } = fields(
    typeof receipt === 'string' ? parsed(receipt) : receipt,
    'the receipt',
  )
  if (quantd_receipt !== 1) fail('the receipt has an unknown version')
  const row = fields(leaf, 'leaf')
  const { at, leaves, number, previous, stream } = fields(group, 'group')
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
  await checkSignature(signed, signatures, options.keys)
  return {
    leaf: row as ProvenCall['leaf'],
    signedAt: whole(signed.at),
    keyId: String(signed.key),
    contentMatches: await checkContent(row, options),
  }
}

/** The root over a leaf, by RFC 9162, section 2.1.3.2. */
async function climb(leaf: string, index: number, size: number, steps: unknown): Promise<string> {
  if (!Array.isArray(steps) || steps.length > MOST_STEPS || index >= size) fail('a path is malformed')
  let [place, last, root] = [index, size - 1, leaf]
  for (const step of steps as unknown[]) {
    if (last === 0) fail('a path is too long')
    if (place % 2 === 1 || place === last) {
      root = await nodeHash(hash(step), root)
      while (place % 2 === 0 && place !== 0) [place, last] = [half(place), half(last)]
    } else root = await nodeHash(root, hash(step))
    ;[place, last] = [half(place), half(last)]
  }
  if (last !== 0) fail('a path is too short')
  return root
}

const half = (number: number): number => Math.floor(number / 2)

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
  const key = keys.find(({ id }) => id === checkpoint.key)
  if (key === undefined) return fail(`the key ${String(checkpoint.key)} is not among the given ones`)
  const bytes = fromBase64(key.public_key)
  if (key.algorithm !== 'Ed25519' || (await sha256(bytes)).slice(0, 16) !== key.id)
    fail('a given key is malformed')
  const at = whole(checkpoint.at)
  if (at < key.from || (key.until !== null && at > key.until)) fail('the key did not sign at this time')
  const own = (Array.isArray(signatures) ? signatures : []).find((one) => one?.key === key.id)
  if (typeof own?.signature !== 'string') return fail('the signature is missing')
  const imported = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify'])
  const text = new TextEncoder().encode(textOf(checkpoint))
  if (!(await crypto.subtle.verify('Ed25519', imported, fromBase64(own.signature), text)))
    fail('the signature is wrong')
}

/** Both digests are needed: the row has one digest of them. */
async function checkContent(row: Fields, { reply, request }: ReceiptOptions): Promise<boolean> {
  if (request === undefined && reply === undefined) return false
  if (request === undefined || reply === undefined)
    return fail('request and reply can be checked together only')
  const data = row.status === 200 ? dataOf(bytesOf(reply)) : new Uint8Array()
  const content = textOf({ data: await sha256(data), request: await sha256(bytesOf(request)) })
  if ((await leafHash(content)) !== row.content) fail('the request or the reply is not that of the call')
  return true
}

/** What is between the envelope's head and its last brace; Arrow and bare data as they are. */
function dataOf(reply: Uint8Array): Uint8Array {
  const isEnveloped = new TextDecoder().decode(reply.subarray(0, REPLY.length)) === REPLY
  return isEnveloped ? reply.subarray(REPLY.length, reply.length - 1) : reply
}

const leafHash = (text: string): Promise<string> => sha256(new TextEncoder().encode(`\0${text}`))

const nodeHash = (left: string, right: string): Promise<string> =>
  sha256(Uint8Array.from([1, ...fromHex(left), ...fromHex(right)]))

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const fromHex = (hex: string): number[] => (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(bytes, (character) => character.charCodeAt(0))
  } catch {
    return fail('a key or signature is malformed')
  }
}

const bytesOf = (content: string | Uint8Array): Uint8Array =>
  typeof content === 'string' ? new TextEncoder().encode(content) : content

function textOf(value: unknown): string {
  try {
    return canonical(value)
  } catch {
    return fail('a field has a value that no receipt has')
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return fail('the receipt is not JSON')
  }
}

function fields(value: unknown, name: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return fail(`${name} is malformed`)
  return value as Fields
}

const hash = (value: unknown): string =>
  typeof value === 'string' && HASH.test(value) ? value : fail('a hash is malformed')

const whole = (value: unknown): number =>
  Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : fail('a number is malformed')

function fail(message: string): never {
  throw new InvalidReceipt(`The receipt is not valid: ${message}.`)
}
