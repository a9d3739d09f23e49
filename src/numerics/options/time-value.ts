/** What an option out of the money is worth under Black–Scholes–Merton, by Mills' ratios. */
import { productError, sumError } from '../arithmetic/double-double.ts'
import { discounted, known, logOfForward } from './forward.ts'
import { millsDrop, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'

/** Up to this exponent its rounding stays below 1e-15 of the price. */
const PLAIN = 1.5

/**
 * The option out of the money, for x as `logOfForward` has it. With y = |x|/√v, t = √v/2 and Mills' ratio R it is worth
 * √(SK)·exp(−(r + q)T/2 − x²/2v − v/8)·[R(y − t) − R(y + t)]/√(2π), free of cancellation.
 */
export function timeValue(
  spot: number,
  strike: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  const x = logOfForward[0]
  const s = volatility * Math.sqrt(maturity)
  if (s === 0) return 0
  const y = Math.abs(x) / s
  const t = 0.5 * s
  if (!(t <= y + 3)) return vastTimeValue(x, y, t, spot, strike, rate, maturity, dividendYield)
  const half = 0.5 * (y * y + t * t)
  const decay = 0.5 * (rate + dividendYield) * maturity
  const power = -half - decay
  const tail =
    half + Math.abs(decay) < PLAIN ? 0 : powerTail(power, rate, volatility, maturity, dividendYield)
  if (power < -600)
    return y > 110 ? underflown(power) : tinyValue(spot, strike, power, millsDrop(y, t) * (1 + tail))
  const product = spot * strike
  const mean = product > 1e-290 && product < 1e290 ? Math.sqrt(product) : Math.sqrt(spot) * Math.sqrt(strike)
  return mean * Math.exp(power) * millsDrop(y, t) * NORMAL_PEAK * (1 + tail)
}

/** √(spot·strike)·exp(power)·drop/√(2π), where the power alone would underflow. */
function tinyValue(spot: number, strike: number, power: number, drop: number): number {
  const root = Math.exp(0.5 * power)
  return Math.sqrt(spot) * root * (Math.sqrt(strike) * root) * (drop * NORMAL_PEAK)
}

/** Nothing, unless discount factors beyond all bounds bring the power back into range. */
function underflown(power: number): number {
  return power < -1500 ? 0 : Number.NaN
}

/** The option out of the money where √v outweighs |x|: nearly all of the discounted spot (call) or strike (put). */
function vastTimeValue(
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
 * −x²/2v − v/8 − (r + q)T/2 less its rounded value: deep out of the money its rounding would cost three digits. It is
 * formed from y = |x|/√v, whose parts stay in range where v does not.
 */
function powerTail(
  power: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  // s + sTail = √v: by √T = root + (T − root²)/(2·root).
  const root = Math.sqrt(maturity)
  const square = root * root
  const rootTail = (0.5 * (maturity - square - productError(root, root, square))) / root
  const s = volatility * root
  const sTail = productError(volatility, root, s) + volatility * rootTail
  const x = logOfForward[0]
  const y = x / s
  const product = y * s
  const yTail = (x - product - productError(y, s, product) + logOfForward[1] - y * sTail) / s
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
  return known(-power - sum - sumTail)
}
