/** The exponent of an option's price with the digits below its last place, for it is magnified into the price. */
import { productError, sumError } from '../arithmetic/double-double.ts'
import { logOfQuotient } from '../arithmetic/log-quotient.ts'

/** The last `takePrecisePower`: x, y = |x|/√v, the power, and what its rounding lost. Read it before the next call. */
export const precisePower = new Float64Array(4)

/**
 * Puts x = ln(S/K) + (r − q)T, for ln(S/K) as `logOfQuotient` has it, and −x²/2v − v/8 − (r + q)T/2 into `precisePower`,
 * the latter to about 2⁻⁵⁹ of x²/2v. Factors are split into halves of 24 and 29 bits, whose products are exact.
 */
export function takePrecisePower(
  rateGiven: number,
  volatilityGiven: number,
  maturityGiven: number,
  dividendYieldGiven: number,
): void {
  const rate = +rateGiven
  const volatility = +volatilityGiven
  const maturity = +maturityGiven
  const dividendYield = +dividendYieldGiven

  const carry = rate - dividendYield
  const drift = carry * maturity
  const driftTail = productError(carry, maturity, drift) + sumError(rate, -dividendYield, carry) * maturity
  const log = logOfQuotient[0]
  const sum = log + drift
  const sumTail = sumError(log, drift, sum) + (logOfQuotient[1] + driftTail)
  const x = sum + sumTail
  const size = Math.abs(x)
  const xTail = sum - x + sumTail
  const sizeTail = x < 0 ? -xTail : xTail

  // s + sTail = √v: by √T = root + rest/(2·root).
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
  precisePower[0] = x
  precisePower[1] = y
  precisePower[2] = -exponent
  precisePower[3] = -(sumError(half, less, exponent) + yLow * (yHigh + 0.5 * yLow))
}
