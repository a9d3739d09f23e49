/** Seeded random numbers in integer arithmetic, the same on every machine. */

/** Returns the next number, uniform in 0…2³² − 1. */
export type Random = () => number

const UNIT_32 = 2 ** 32

/**
 * A generator for a seed.
 * @param seed any safe integer; both 32-bit halves of it are used
 */
export function seededRandom(seed: number): Random {
  const low = splitmix32(seed)
  // The constant, the first digits of √2, makes the two halves of the state differ for small seeds.
  const high = splitmix32(Math.floor(seed / UNIT_32) ^ 0x6a09e667)
  return xoshiro128([low(), low(), high(), high()])
}

/** The generator xoshiro128** (Blackman & Vigna 2021) from a state of four 32-bit words, not all zero. */
export function xoshiro128(state: readonly [number, number, number, number]): Random {
  let [a, b, c, d] = state
  return () => {
    const product = Math.imul(b, 5)
    const result = Math.imul((product << 7) | (product >>> 25), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << 11) | (d >>> 21)
    return result >>> 0
  }
}

/** A uniform integer in 0…bound − 1, for a bound up to 2³², by rejection. */
export function randomBelow(random: Random, bound: number): number {
  const fair = UNIT_32 - (UNIT_32 % bound)
  let drawn = random()
  while (drawn >= fair) drawn = random()
  return drawn % bound
}

/** A uniform multiple of 2⁻⁵³ in [0, 1). */
export function randomFraction(random: Random): number {
  const high = random() >>> 5
  const low = random() >>> 6
  return (high * 2 ** 26 + low) / 2 ** 53
}

/** A Weyl sequence through Murmur3's finaliser (Steele, Lea & Flood 2014): a different first word for every seed. */
function splitmix32(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x9e3779b9) | 0
    let word = state ^ (state >>> 16)
    word = Math.imul(word, 0x85ebca6b)
    word ^= word >>> 13
    word = Math.imul(word, 0xc2b2ae35)
    return word ^ (word >>> 16)
  }
}
