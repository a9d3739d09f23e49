/** The hashes of receipts by Web Crypto: of paths, and of the content of a call (`proofs/content.ts` for the service). */
import { fail, hash } from './receipt-values.ts'

/** The most hashes that a path may have, which is more than a tree of 2^53 leaves needs. */
const MOST_STEPS = 64

/** The root that a leaf and its path give (RFC 9162, section 2.1.3.2). @param size the number of leaves */
export async function climb(leaf: string, index: number, size: number, steps: unknown): Promise<string> {
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

export const leafHash = (text: string): Promise<string> => sha256(new TextEncoder().encode(`\0${text}`))

const nodeHash = (left: string, right: string): Promise<string> =>
  sha256(Uint8Array.from([1, ...fromHex(left), ...fromHex(right)]))

export async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export const fromHex = (hex: string): number[] =>
  (hex.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16))

/** Longer bodies are hashed first. Shorter ones are not: a hash costs as much as hashing some hundred bytes more. */
export const SHORT_BYTES = 1_024

/** The content of a call, from its request and its result. */
export async function contentOf(request: Uint8Array, data: Uint8Array): Promise<string> {
  const parts = [[0], ...(await part(request)), ...(await part(data))]
  return await sha256(Uint8Array.from(parts.flatMap((bytes) => [...bytes])))
}

/** The length of a body in two bytes and the body; for a long one, FF FF and its hash. */
async function part(bytes: Uint8Array): Promise<Iterable<number>[]> {
  const { length } = bytes
  if (length > SHORT_BYTES) return [[0xff, 0xff], fromHex(await sha256(bytes))]
  return [[length >> 8, length & 0xff], bytes]
}
