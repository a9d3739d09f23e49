/**
 * The hash by which Citus divides accounts among shards: PostgreSQL's `hashint8`, which is Jenkins' lookup3 (2006) of 32 bits.
 */

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits))

/** The rotations of the final mixing; they apply to c, a, b in turn. */
const ROTATIONS = [14, 11, 25, 16, 4, 14, 24]

/** From -2^31 to 2^31 - 1. @param id an integer from 0 to 2^53 - 1 */
export function hashOf(id: number): number {
  const seed = (0x9e3779b9 + 4 + 3_923_095) | 0
  const folded = ((id % 2 ** 32) | 0) ^ Math.floor(id / 2 ** 32)
  // The order is c, a, b: each word is changed by the one before it.
  const words = [seed, (seed + folded) | 0, seed]
  // The first step changes c by b, the next a by c, then b by a.
  const [C, A, B] = [0, 1, 2]
  const order = [
    [C, B],
    [A, C],
    [B, A],
  ]
  ROTATIONS.forEach((bits, step) => {
    const [changed, by] = order[step % 3]
    words[changed] = ((words[changed] ^ words[by]) - rotate(words[by], bits)) | 0
  })
  return words[C]
}
