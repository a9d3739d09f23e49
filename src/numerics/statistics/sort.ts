/** Radix sort of numbers, and the place of a number among sorted ones. */

/** Below this length the engine's own sort is faster than filling the tables of a radix sort. */
const SHORT = 2_000
/** Digits of a 64-bit pattern, lowest first: which 32-bit half each is in, its shift and its mask. */
const digits = [
  { half: 0, shift: 0, mask: 0x7ff },
  { half: 0, shift: 11, mask: 0x7ff },
  { half: 0, shift: 22, mask: 0x3ff },
  { half: 1, shift: 0, mask: 0x7ff },
  { half: 1, shift: 11, mask: 0x7ff },
  { half: 1, shift: 22, mask: 0x3ff },
] as const
const BUCKETS = 0x800

/**
 * The same finite numbers in ascending order; the argument is used as scratch space.
 * Least-significant-digit radix sort of the bit patterns (Knuth, TAOCP vol. 3, 5.2.5), linear in the length;
 * a digit that all numbers share costs nothing. −0 must not occur (adding 0 turns it into 0).
 */
export function sortNumbers(values: Float64Array): Float64Array {
  if (values.length < SHORT) return values.sort()
  const counts = countDigits(values)
  let from = values
  let to: Float64Array = new Float64Array(values.length)
  digits.forEach((digit, index) => {
    const offsets = counts.subarray(index * BUCKETS, (index + 1) * BUCKETS)
    if (offsets.includes(values.length)) return
    scatter(from, to, digit, offsets)
    const swap = from
    from = to
    to = swap
  })
  return negativesFirst(from, to)
}

/** Counts each value of each digit. Every platform of Node.js is little-endian: the low half comes first. */
function countDigits(values: Float64Array): Uint32Array {
  const halves = new Uint32Array(values.buffer, values.byteOffset, values.length * 2)
  const counts = new Uint32Array(digits.length * BUCKETS)
  for (let i = 0; i < halves.length; i += 2) {
    const low = halves[i]
    const high = halves[i + 1]
    counts[low & 0x7ff]++
    counts[BUCKETS + ((low >>> 11) & 0x7ff)]++
    counts[2 * BUCKETS + (low >>> 22)]++
    counts[3 * BUCKETS + (high & 0x7ff)]++
    counts[4 * BUCKETS + ((high >>> 11) & 0x7ff)]++
    counts[5 * BUCKETS + (high >>> 22)]++
  }
  return counts
}

/** One pass of the sort, by one digit, keeping the order of equal digits; turns the counts into offsets. */
function scatter(
  from: Float64Array,
  to: Float64Array,
  { half, shift, mask }: (typeof digits)[number],
  offsets: Uint32Array,
): void {
  let offset = 0
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const count = offsets[bucket]
    offsets[bucket] = offset
    offset += count
  }
  const halves = new Uint32Array(from.buffer, from.byteOffset, from.length * 2)
  for (let i = 0; i < from.length; i++) to[offsets[(halves[2 * i + half] >>> shift) & mask]++] = from[i]
}

/** Bit patterns sort negative numbers last, the least negative first: reverses that part and moves it to the front. */
function negativesFirst(values: Float64Array, spare: Float64Array): Float64Array {
  const length = values.length
  if (!(values[length - 1] < 0)) return values
  let positives = 0
  while (values[positives] >= 0) positives++
  const negatives = length - positives
  for (let i = 0; i < negatives; i++) spare[i] = values[length - 1 - i]
  spare.set(values.subarray(0, positives), negatives)
  return spare
}

/**
 * The greatest place whose value is not above the number, or 0.
 * @param values rising
 * @param size how many of the values count
 */
export function levelOf(number: number, values: Float64Array, size: number): number {
  let level = 0
  for (let end = size; end - level > 1; ) {
    const middle = (level + end) >> 1
    if (number < values[middle]) end = middle
    else level = middle
  }
  return level
}
