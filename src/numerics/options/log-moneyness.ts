/** The logarithm of the forward over the strike, in double-double precision. */
import { type DoubleDouble, productError, sumError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { logRatio } from '../arithmetic/log-ratio.ts'
import { exactLogMoneyness, type Moneyness } from './exact-log-moneyness.ts'

/**
 * Below this size of x and of the deviation of the log price an exact x is needed. An error δ of x moves the price by less
 * than 2(1 + |x|/s)δ/s of itself at a deviation s, and by δ/|x| where the price is nearly all payoff. With
 * z = max(s, |x|/64) that is less than 130·δ/z while the time value matters; δ < 2⁻⁷⁴, from `logRatio` and two roundings,
 * then is an error of 3e-14 of the price.
 */
const NEEDS_EXACT = 2 ** -22

/**
 * x = ln(S/K) + (r − q)T, in two parts because near the money it is a small difference, which the price divides by the deviation
 * of the log price.
 */
export function logMoneyness(option: Moneyness, deviation: number): DoubleDouble {
  const { spot, strike, rate, dividendYield, maturity } = option
  const log = logRatio(spot, strike)
  const carry = rate - dividendYield
  const drift = Number.isFinite(carry) ? carry * maturity : rate * maturity - dividendYield * maturity
  const driftLow = productError(carry, maturity, drift) + sumError(rate, -dividendYield, carry) * maturity
  const sum = log.high + drift
  const sumLow = zeroIfNaN(sumError(log.high, drift, sum) + log.low + driftLow)
  const high = sum + sumLow
  if (Math.max(deviation, Math.abs(high) / 64) < NEEDS_EXACT && (spot !== strike || rate !== dividendYield))
    return exactLogMoneyness(option, deviation)
  return { high, low: zeroIfNaN(sum - high + sumLow) }
}
