/** The value of an option out of the money under Black–Scholes–Merton, by Mills' ratios. */
import { type DoubleDouble, productError, sumError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { discounted } from './forward.ts'
import { millsDifference, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'

/** Up to this size of the exponent its rounding changes the price by less than 1e-15 of itself. */
const SMALL_EXPONENT = 1.5

/**
 * The option out of the money, for x = ln(S/K) + (r − q)T. With y = |x|/√v, t = √v/2 and Mills' ratio R it is worth
 * √(SK)·exp(−(r + q)T/2 − x²/2v − v/8)·[R(y − t) − R(y + t)]/√(2π), free of cancellation.
 */
export function timeValue(
  x: DoubleDouble,
  spot: number,
  strike: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  const s = volatility * Math.sqrt(maturity)
  if (s === 0) return 0
  const y = Math.abs(x.high) / s
  const t = 0.5 * s
  if (!(t <= y + 3)) return largeVarianceValue(x.high, y, t, spot, strike, rate, maturity, dividendYield)
  const half = 0.5 * (y * y + t * t)
  const decay = 0.5 * (rate + dividendYield) * maturity
  const exponent = -half - decay
  const correction =
    half + Math.abs(decay) < SMALL_EXPONENT
      ? 0
      : exponentError(x, exponent, rate, volatility, maturity, dividendYield)
  if (Math.abs(exponent) > 600)
    return exponent < 0 && y > 110
      ? underflowingValue(exponent)
      : tinyValue(spot, strike, exponent, millsDifference(y, t) * (1 + correction))
  const product = spot * strike
  const mean = product > 1e-290 && product < 1e290 ? Math.sqrt(product) : Math.sqrt(spot) * Math.sqrt(strike)
  return mean * Math.exp(exponent) * millsDifference(y, t) * NORMAL_PEAK * (1 + correction)
}

/** √(spot·strike)·exp(exponent)·difference/√(2π), where the exponential alone would over- or underflow. */
function tinyValue(spot: number, strike: number, exponent: number, difference: number): number {
  const root = Math.exp(0.5 * exponent)
  return Math.sqrt(spot) * root * (Math.sqrt(strike) * root) * (difference * NORMAL_PEAK)
}

/** 0, or NaN where a discount factor beyond the range of doubles brings the exponent back into range. */
function underflowingValue(exponent: number): number {
  return exponent < -1500 ? 0 : Number.NaN
}

/** The option out of the money where √v exceeds |x|: nearly all of the discounted spot (call) or strike (put). */
function largeVarianceValue(
  x: number,
  y: number,
  t: number,
  spot: number,
  strike: number,
  rate: number,
  maturity: number,
  dividendYield: number,
): number {
  const most = x < 0 ? discounted(spot, dividendYield, maturity) : discounted(strike, rate, maturity)
  const less = Math.exp(-0.5 * (t - y) * (t - y)) * (millsRatio(t - y) + millsRatio(t + y))
  return less > 0 ? most * (1 - less * NORMAL_PEAK) : most
}

/**
 * −x²/2v − v/8 − (r + q)T/2 minus its rounded value: deep out of the money that rounding would cost three digits. It is
 * formed from y = |x|/√v, which stays in range where v does not.
 */
function exponentError(
  x: DoubleDouble,
  rounded: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  // s + sTail = √v, by Newton's step √T = root + (T − root²)/(2·root).
  const root = Math.sqrt(maturity)
  const square = root * root
  const rootTail = (0.5 * (maturity - square - productError(root, root, square))) / root
  const s = volatility * root
  const sTail = productError(volatility, root, s) + volatility * rootTail
  const y = x.high / s
  const product = y * s
  const yTail = (x.high - product - productError(y, s, product) + x.low - y * sTail) / s
  const half = 0.5 * y * y
  const spread = 0.125 * s * s
  const yields = rate + dividendYield
  const decay = 0.5 * yields * maturity
  const decayTail =
    productError(0.5 * yields, maturity, decay) + 0.5 * sumError(rate, dividendYield, yields) * maturity
  const exponent = half + spread
  const exponentTail =
    productError(0.5 * y, y, half) +
    y * yTail +
    productError(0.125 * s, s, spread) +
    0.25 * s * sTail +
    sumError(half, spread, exponent)
  const sum = exponent + decay
  const sumTail = sumError(exponent, decay, sum) + exponentTail + decayTail
  return zeroIfNaN(-rounded - sum - sumTail)
}
