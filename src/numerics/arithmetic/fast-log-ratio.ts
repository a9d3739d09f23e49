/** The logarithm of a ratio of moderate numbers to 59 bits, for prices that magnify its rounding a thousandfold. */
import type { DoubleDouble } from './double-double.ts'
import { logOfFraction } from './log-of-fraction.ts'

/** ln(1 + n/128) in two parts, and ln 2; the first parts are multiples of 2⁻⁴⁰, so that their sums are exact. */
const CELLS = 128
const table = new Float64Array(2 * CELLS)
const LAST_PAIR = 2 * (CELLS - 1)
for (let n = 0; n < CELLS; n++) table.set(logOfFraction(CELLS + n, CELLS), 2 * n)
const [LN2_HIGH, LN2_LOW] = logOfFraction(2, 1)
/** Splits off the first eight bits (Veltkamp 1968). */
const SPLITTER = 2 ** 45 + 1
/** Splits off the first 24 bits. */
const { fround } = Math

const float = new Float64Array(1)
const word = new Uint32Array(float.buffer)
const HIGH_WORD = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? 1 : 0

/**
 * ln(above/below) for numbers in 1e-30…1e30. The error of the two parts together is below 2⁻⁶⁷ and below 2⁻⁵⁹ of their
 * sum. The latter is largest at c = 1, where |u| ≤ 2⁻⁸: seven roundings of u²/2.
 *
 * After Tang (1990): ln(a/b) = ln c − ln(1 − u), where c is the quotient rounded to eight bits and u = (a − c·b)/a.
 * The numerator of u is exact, because it is an integer below 2⁵³ in units of the product of the last places of c and b.
 * u is carried as 24 leading bits and the rest of its division; u²/2 + u³/3 + … is small enough for plain arithmetic,
 * since |u| < 2⁻⁷.
 */
export function fastLogRatio(above: number, below: number): DoubleDouble {
  const quotient = above / below
  const up = quotient * SPLITTER
  const c = up - (up - quotient)
  float[0] = c
  const bits = word[HIGH_WORD]
  const scale = (bits >>> 20) - 1023
  const cell = (bits >>> 12) & LAST_PAIR
  const belowHigh = fround(below)
  const rest = above - c * belowHigh - c * (below - belowHigh)
  const inverse = 1 / above
  const u = rest * inverse
  const uHigh = fround(u)
  const aboveHigh = fround(above)
  const uLow = (rest - uHigh * aboveHigh - uHigh * (above - aboveHigh)) * inverse
  const uu = u * u
  const series = 1 / 3 + u * (1 / 4) + uu * (1 / 5 + u * (1 / 6) + uu * (1 / 7 + u * (1 / 8)))
  const big = scale * LN2_HIGH + table[cell]
  const low = scale * LN2_LOW + table[cell + 1] + uLow + uu * (1 / 2 + u * series)
  // `big` is 0 or larger than u, so that two subtractions find the rounding of their sum (Dekker 1971).
  const high = big + uHigh
  return { high, low: big - high + uHigh + low }
}
