/** Numbers different values by first appearance, in the order of their bytes: of texts, also without decoding them. */

/** A random start of the hash, so that no client can choose values that share slots. */
const SEED = Math.floor(Math.random() * 2 ** 32)
const PRIME = 0x01000193
const MIX = 0x85ebca6b

export interface ValueNumbers {
  /** The number of the value in these bytes, from 0 on. */
  numberOf(bytes: Uint8Array, start: number, end: number): number
  /** The bytes of the value with a number. */
  bytesOf(number: number): Uint8Array
  /** The numbers given so far. */
  readonly count: number
}

/**
 * An open hash table, whose memory the system provides only as values are added. All bytes must be of one buffer.
 * @param most the values that may be added
 */
export function valueNumbers(buffer: ArrayBufferLike, most: number): ValueNumbers {
  const all = new Uint8Array(buffer)
  const bits = Math.max(4, Math.ceil(Math.log2(1.5 * most)))
  const slots = new Uint32Array(2 ** bits)
  const hashes = new Uint32Array(2 ** bits)
  const starts = new Uint32Array(most)
  const lengths = new Uint32Array(most)
  let count = 0

  const isSame = (number: number, start: number, length: number): boolean => {
    if (lengths[number] !== length) return false
    const other = starts[number]
    for (let i = 0; i < length; i++) if (all[other + i] !== all[start + i]) return false
    return true
  }

  return {
    numberOf(bytes, from, to) {
      const start = bytes.byteOffset + from
      const length = to - from
      // FNV-1a, and a last step that spreads all bits to the low ones.
      let hash = SEED
      for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ all[i], PRIME)
      hash = Math.imul(hash ^ (hash >>> 15), MIX)
      hash = (hash ^ (hash >>> 13)) >>> 0
      for (let slot = hash & (slots.length - 1); ; slot = (slot + 1) & (slots.length - 1)) {
        const known = slots[slot] - 1
        if (known === -1) {
          slots[slot] = count + 1
          hashes[slot] = hash
          starts[count] = start
          lengths[count] = length
          return count++
        }
        if (hashes[slot] === hash && isSame(known, start, length)) return known
      }
    },
    bytesOf: (number) => all.subarray(starts[number], starts[number] + lengths[number]),
    get count() {
      return count
    },
  }
}
