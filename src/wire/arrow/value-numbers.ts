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

const [FIRST_BITS, MOST_FILLED, GROWTH] = [10, 0.5, 4]

/**
 * An open hash table that grows with its values, so that a few values of many rows stay in the caches of the processor; the system
 * provides the other memory only as values are added. All bytes must be of one buffer.
 * @param most the values that may be added
 */
export function valueNumbers(buffer: ArrayBufferLike, most: number): ValueNumbers {
  const all = new Uint8Array(buffer)
  const starts = new Uint32Array(most)
  const lengths = new Uint32Array(most)
  let count = 0
  /** Pairs: the hash of a value, and its number from 1 on; 0: free. */
  let slots = new Uint32Array(2 ** (FIRST_BITS + 1))
  let last = 2 ** FIRST_BITS - 1

  const isSame = (number: number, start: number, length: number): boolean => {
    if (lengths[number] !== length) return false
    const other = starts[number]
    for (let i = 0; i < length; i++) if (all[other + i] !== all[start + i]) return false
    return true
  }

  const grow = (): void => {
    const before = slots
    slots = new Uint32Array(GROWTH * before.length)
    last = slots.length / 2 - 1
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue
      let slot = before[at] & last
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & last
      slots[2 * slot] = before[at]
      slots[2 * slot + 1] = before[at + 1]
    }
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
      for (let slot = hash & last; ; slot = (slot + 1) & last) {
        const known = slots[2 * slot + 1] - 1
        if (known === -1) {
          slots[2 * slot] = hash
          slots[2 * slot + 1] = count + 1
          starts[count] = start
          lengths[count] = length
          if (count > MOST_FILLED * last) grow()
          return count++
        }
        if (slots[2 * slot] === hash && isSame(known, start, length)) return known
      }
    },
    bytesOf: (number) => all.subarray(starts[number], starts[number] + lengths[number]),
    get count() {
      return count
    },
  }
}
