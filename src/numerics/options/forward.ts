/** The forward against the strike: its logarithm with the digits below the last place, and its discounted payoff. */
import { productError, sumError } from '../arithmetic/double-double.ts'
import { logOfRatio, takeLogOfRatio } from '../arithmetic/log-ratio.ts'
import { exactLogForward, takeExactLogForward } from './exact-forward.ts'

/** The last `takeLogForward`: x, and what its rounding lost. Read it before the next call. */
export const logOfForward = new Float64Array(2)

/**
 * Below this x and the deviation of the log price call for an exact x. An error δ of x moves the price by less than
 * 2(1 + |x|/s)δ/s of itself at a deviation s, and by δ/|x| where it is all payoff. With z = max(s, |x|/64) that is less than
 * 130·δ/z while the time value counts; δ < 2⁻⁷⁴, from `takeLogOfRatio` and two roundings, leaves 3e-14 of the price.
 */
const FINE = 2 ** -22

/**
 * Puts x = ln(S/K) + (r − q)T into `logOfForward`, in two parts: near the money it is a small difference, which the
 * price divides by the deviation of the log price.
 */
export function takeLogForward(
  spot: number,
  strike: number,
  rate: number,
  dividendYield: number,
  maturity: number,
  deviation: number,
): void {
  takeLogOfRatio(spot, strike)
  const log = logOfRatio[0]
  const carry = rate - dividendYield
  const drift = Number.isFinite(carry) ? carry * maturity : rate * maturity - dividendYield * maturity
  const driftTail = productError(carry, maturity, drift) + sumError(rate, -dividendYield, carry) * maturity
  const sum = log + drift
  const sumTail = known(sumError(log, drift, sum) + logOfRatio[1] + driftTail)
  const x = sum + sumTail
  logOfForward[0] = x
  logOfForward[1] = known(sum - x + sumTail)
  if (Math.max(deviation, Math.abs(x) / 64) < FINE && (spot !== strike || rate !== dividendYield)) {
    takeExactLogForward(spot, strike, rate, dividendYield, maturity, deviation)
    logOfForward.set(exactLogForward)
  }
}

/** |S·exp(−qT) − K·exp(−rT)| = K·exp(−rT)·|exp(x) − 1|, from whichever form keeps the digits. */
export function forwardValue(
  x: number,
  xTail: number,
  spot: number,
  strike: number,
  rate: number,
  maturity: number,
  dividendYield: number,
): number {
  if (Math.abs(x) > 1)
    return Math.abs(discounted(spot, dividendYield, maturity) - discounted(strike, rate, maturity))
  return x > 0
    ? discounted(strike, rate, maturity) * (Math.expm1(x) + xTail)
    : discounted(spot, dividendYield, maturity) * (Math.expm1(-x) - xTail)
}

/** amount·exp(−rate·maturity), the rounding of the exponent made good. */
export function discounted(amount: number, rate: number, maturity: number): number {
  const exponent = -rate * maturity
  return amount * Math.exp(exponent) * (1 + known(productError(-rate, maturity, exponent)))
}

/** Beyond about 1e290 the error of a product is lost: then the product stands alone. */
export function known(tail: number): number {
  return Number.isNaN(tail) ? 0 : tail
}
