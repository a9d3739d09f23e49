/** ln(S/K) + (r − q)T in fixed-point arithmetic of any length, where its terms cancel beyond double-double precision. */
import type { DoubleDouble } from '../arithmetic/double-double.ts'
import { fixedPoint, PLACES } from '../arithmetic/fixed-point.ts'
import { fixedPointLogOfFraction } from '../arithmetic/log-of-fraction.ts'
import { spend } from '../budget.ts'

/** Spot and strike, and what makes the forward of the spot. */
export interface Moneyness {
  /** Price of the underlying, above 0. */
  readonly spot: number
  /** Above 0. */
  readonly strike: number
  /** Continuously compounded, a year. */
  readonly rate: number
  /** Continuously compounded, a year. */
  readonly dividendYield: number
  /** Years, not below 0. */
  readonly maturity: number
}

const STEP = 128

/**
 * x with an error below 2⁻⁷⁰ of max(|x|, deviation), or below the smallest double. The logarithms are wrong by less than
 * 2²³ units, so the unit is made smaller until x and the deviation are at least 2⁹⁶ units, or their sum is below the
 * smallest double. Typically 10 µs.
 */
export function exactLogMoneyness(
  { spot, strike, rate, dividendYield, maturity }: Moneyness,
  deviation: number,
): DoubleDouble {
  const scale = Math.round(Math.log2(spot) - Math.log2(strike))
  const above = fixedPoint(spot) << BigInt(Math.max(-scale, 0))
  const below = fixedPoint(strike) << BigInt(Math.max(scale, 0))
  const drift = (fixedPoint(rate) - fixedPoint(dividendYield)) * fixedPoint(maturity)
  for (let places = STEP; ; places += STEP) {
    if (spot !== strike) spend(4 + 2.5e-4 * places ** 2)
    const n = BigInt(places)
    const scaling = scale === 0 ? 0n : BigInt(scale) * fixedPointLogOfFraction(2n, 1n, n)
    const x = fixedPointLogOfFraction(above, below, n) + scaling + ((drift << n) >> (2n * PLACES))
    const leading = Number(x)
    const root = 2 ** (-places / 2)
    const high = leading * root * root
    if (Math.abs(high) + deviation >= 2 ** (96 - places))
      return { high, low: Number(x - BigInt(leading)) * root * root }
  }
}
