/** The content of a call, from its request and its result, by Web Crypto. */
import { fromHex, sha256 } from './web-hash.ts'

/** A longer part is hashed first, because each further hash costs as much as some hundred bytes. */
export const SHORT_BYTES = 1_024

export async function contentOf(request: Uint8Array, data: Uint8Array): Promise<string> {
  const parts = [[0], ...(await part(request)), ...(await part(data))]
  return await sha256(Uint8Array.from(parts.flatMap((bytes) => [...bytes])))
}

/** Its length in two bytes, and itself. */
async function part(bytes: Uint8Array): Promise<Iterable<number>[]> {
  const { length } = bytes
  if (length > SHORT_BYTES) return [[0xff, 0xff], fromHex(await sha256(bytes))]
  return [[length >> 8, length & 0xff], bytes]
}
