/** The deviation s = σ√T of the log price from the time value of an option, by third-order iteration. */

import type { DoubleDouble } from '../arithmetic/double-double.ts'
import { exactSum, logOfProduct } from '../arithmetic/scaled-product.ts'
import { spend } from '../budget.ts'
import { millsDifference, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'

export interface TimeValue {
  /** ln(S/K) + (r − q)T. */
  readonly x: number
  /** The time value's least upper bound is amount·exp(decay): the discounted spot for x < 0, else the discounted strike. */
  readonly amount: number
  readonly decay: DoubleDouble
  /** Above 0 and below its bound. */
  readonly timeValue: number
  /** The bound less the time value. */
  readonly complement: number
}

/** From this |x|/s on prices are below e^−6000 of their bound; the iteration does not go there. */
const FARTHEST = 110
/** Four steps are the most that were seen in 300,000 options of all kinds. */
const MOST_STEPS = 40
/** The time of a step, in microseconds. */
const STEP_MICROS = 0.5
/** A step below this size is the last one: the next would be about its third power. */
const LAST_STEP = 2 ** -19
const ROOT_TWO_PI = 1 / NORMAL_PEAK

/**
 * s with a relative error of about 1e-15 beyond the one that the errors of the inputs cause, or NaN where |x|/s is above 110.
 *
 * With y = |x|/s, t = s/2, Mills' ratio R and the bound U, the time value is U·φ(y − t)·[R(y − t) − R(y + t)], and its complement
 * U·φ(y − t)·[R(t − y) + R(t + y)]; the smaller one determines s. The steps are Halley's for ln(−ln(value/U)) as a function
 * of ln s, which is almost linear at both ends; derivatives after Jäckel (2015), section 4. A step that leaves the interval
 * known to contain the solution is replaced by the interval's geometric mean.
 */
export function impliedDeviation({ x, amount, decay, timeValue, complement }: TimeValue): number {
  const size = Math.abs(x)
  const isUpper = complement < timeValue
  const target = isUpper ? complement : timeValue
  /** −ln(target/U). */
  const length = logOfProduct(decay, [amount], [target])
  let least = size / FARTHEST
  let most = Number.POSITIVE_INFINITY
  let s = firstDeviation(size, length, isUpper)
  for (let step = 0; step < MOST_STEPS; step++) {
    spend(STEP_MICROS)
    const y = size / s
    const t = 0.5 * s
    const sum = isUpper ? millsRatio(t - y) + millsRatio(t + y) : millsDifference(y, t)
    const exponent = exactSum(decay, { high: -0.5 * (y - t) * (y - t), low: 0 })
    const excess = logOfProduct(exponent, [amount, sum, NORMAL_PEAK], [target])
    if (isUpper ? excess > 0 : excess < 0) least = s
    else most = s
    const slope = isUpper ? -s / sum : s / sum
    const current = length - excess
    const newton = (current / slope) * Math.log1p(-excess / length)
    const curvature = 1 + (y - t) * (y + t) - slope + slope / current
    const change = newton / Math.max(1 + 0.5 * newton * curvature, 0.25)
    const next = s * Math.exp(change)
    if (Math.abs(change) < LAST_STEP) return next
    s = next > least && next < most ? next : Math.sqrt(Math.max(least, 0.1 * s) * Math.min(most, 10 * s))
  }
  return Number.NaN
}

/** A first guess of s: where exp(−z²/2), the tail of the normal distribution, equals exp(−length), or from the formula at x = 0. */
function firstDeviation(size: number, length: number, isUpper: boolean): number {
  const z = Math.sqrt(2 * length)
  const root = Math.sqrt(z * z + 2 * size)
  if (isUpper) return z + root
  return Math.max((2 * size) / (z + root), ROOT_TWO_PI * Math.exp(-length))
}
