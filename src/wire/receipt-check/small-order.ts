/** Recognises Ed25519 public keys of small order, for which anybody can make signatures. */

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
