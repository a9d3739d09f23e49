/** ln(S/K) + (r − q)T in whole numbers of any length, where its two terms cancel beyond the digits of a pair of numbers. */
import { wholeLogOfFraction } from '../arithmetic/log-of-fraction.ts'

/** The last `takeExactLogForward`: x, and what its rounding lost. Read it before the next call. */
export const exactLogForward = new Float64Array(2)

const STEP = 128
/** Every number is a whole one of 2⁻¹⁰⁷⁴. */
const PLACES = 1074n
const MANTISSA = 2n ** 52n
const float = new Float64Array(1)
const bits = new BigUint64Array(float.buffer)

/**
 * Puts x into `exactLogForward`, wrong by less than 2⁻⁷⁰ of max(|x|, deviation), or than any number above 0. The
 * logarithms miss less than 2²³ units; so units are made smaller until x and the deviation come to 2⁹⁶ of them, or such a
 * sum is below every number. Typically 10 µs.
 */
export function takeExactLogForward(
  spot: number,
  strike: number,
  rate: number,
  dividendYield: number,
  maturity: number,
  deviation: number,
): void {
  const scale = Math.round(Math.log2(spot) - Math.log2(strike))
  const above = wholeOf(spot) << BigInt(Math.max(-scale, 0))
  const below = wholeOf(strike) << BigInt(Math.max(scale, 0))
  const drift = (wholeOf(rate) - wholeOf(dividendYield)) * wholeOf(maturity)
  for (let places = STEP; ; places += STEP) {
    const n = BigInt(places)
    const scaling = scale === 0 ? 0n : BigInt(scale) * wholeLogOfFraction(2n, 1n, n)
    const x = wholeLogOfFraction(above, below, n) + scaling + ((drift << n) >> (2n * PLACES))
    const head = Number(x)
    const root = 2 ** (-places / 2)
    exactLogForward[0] = head * root * root
    exactLogForward[1] = Number(x - BigInt(head)) * root * root
    if (Math.abs(exactLogForward[0]) + deviation >= 2 ** (96 - places)) return
  }
}

/** The number in units of 2⁻¹⁰⁷⁴. */
function wholeOf(value: number): bigint {
  float[0] = Math.abs(value)
  const exponent = bits[0] >> 52n
  const size = exponent === 0n ? bits[0] : (MANTISSA + (bits[0] & (MANTISSA - 1n))) << (exponent - 1n)
  return value < 0 ? -size : size
}
