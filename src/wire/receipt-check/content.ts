/** Computes the content of a call from its request and its result, by Web Crypto (`proofs/content.ts` for the service). */
import { fromHex, sha256 } from './web-hash.ts'

/** Longer bodies are hashed first. Shorter ones are not: a hash costs as much as hashing some hundred bytes more. */
export const SHORT_BYTES = 1_024

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
