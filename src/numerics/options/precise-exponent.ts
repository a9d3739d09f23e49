/** The exponent of an option's price in double-double precision: the price magnifies its rounding. */
import { type DoubleDouble, productError, sumError } from '../arithmetic/double-double.ts'
import type { VolatileOption } from './standard-option.ts'

export interface PreciseExponent {
  /** ln(S/K) + (r − q)T. */
  readonly x: number
  /** |x|/√v. */
  readonly y: number
  /** −x²/2v − v/8 − (r + q)T/2 = high + low. */
  readonly high: number
  readonly low: number
}

/**
 * The exponent to about 2⁻⁵⁹ of x²/2v, where v = σ²T. Factors are split into halves of 24 and 29 bits, whose products are
 * exact.
 * @param log ln(S/K)
 */
export function preciseExponent(
  log: DoubleDouble,
  { rate, volatility, maturity, dividendYield }: VolatileOption,
): PreciseExponent {
  const carry = rate - dividendYield
  const drift = carry * maturity
  const driftTail = productError(carry, maturity, drift) + sumError(rate, -dividendYield, carry) * maturity
  const sum = log.high + drift
  const sumTail = sumError(log.high, drift, sum) + (log.low + driftTail)
  const x = sum + sumTail
  const size = Math.abs(x)
  const xTail = sum - x + sumTail
  const sizeTail = x < 0 ? -xTail : xTail

  // s + sTail = √v, by Newton's step √T = root + rest/(2·root).
  const root = Math.sqrt(maturity)
  const s = volatility * root
  const inverse = 1 / s
  const rootHigh = Math.fround(root)
  const rootLow = root - rootHigh
  const high = Math.fround(volatility)
  const low = volatility - high
  const rest = maturity - rootHigh * rootHigh - rootLow * (root + rootHigh)
  const sTail =
    high * rootHigh - s + high * rootLow + low * root + 0.5 * rest * volatility * volatility * inverse

  // yHigh + yLow = |x|/√v.
  const y = size * inverse
  const yHigh = Math.fround(y)
  const sHigh = Math.fround(s)
  const yLow = (size - yHigh * sHigh - yHigh * (s - sHigh) + (sizeTail - yHigh * sTail)) * inverse
  const half = 0.5 * yHigh * yHigh
  const less = 0.125 * s * s + 0.5 * (rate + dividendYield) * maturity
  const exponent = half + less
  return { x, y, high: -exponent, low: -(sumError(half, less, exponent) + yLow * (yHigh + 0.5 * yLow)) }
}
