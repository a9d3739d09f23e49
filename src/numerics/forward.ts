/** The forward against the strike: its logarithm with the digits below the last place, and its discounted payoff. */
import { productError, sumError } from './double-double.ts'
import { logRatio, logRatioTail } from './log-ratio.ts'

/** What the last `logForward` lost to rounding, in element 0: read it before the next call. */
export const logForwardTail = new Float64Array(1)

/** x = ln(S/K) + (r − q)T, with the rest in `logForwardTail`: near the money it is a small difference. */
export function logForward(
  spot: number,
  strike: number,
  rate: number,
  dividendYield: number,
  maturity: number,
): number {
  const log = logRatio(spot, strike)
  const carry = rate - dividendYield
  const drift = Number.isFinite(carry) ? carry * maturity : rate * maturity - dividendYield * maturity
  const driftTail = productError(carry, maturity, drift) + sumError(rate, -dividendYield, carry) * maturity
  const sum = log + drift
  const sumTail = known(sumError(log, drift, sum) + logRatioTail[0] + driftTail)
  const x = sum + sumTail
  logForwardTail[0] = known(sum - x + sumTail)
  return x
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
  const spotNow = discounted(spot, dividendYield, maturity)
  const strikeNow = discounted(strike, rate, maturity)
  if (Math.abs(x) > 1) return Math.abs(spotNow - strikeNow)
  return x > 0 ? strikeNow * (Math.expm1(x) + xTail) : spotNow * (Math.expm1(-x) - xTail)
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
