/** A put on a log price that is normal given a gamma time. */
import { logDensity } from './gamma-density.ts'
import { millsDifference, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'

/**
 * At the gamma time w, of mean 1 and shape `shape`, the logarithm of the forward over the strike is
 * m = level + drift·w = central + drift·(w − 1), and its standard deviation `deviation·√w`. Prices are in units of the
 * discounted strike, so that none exceeds 1. The put is out of the money by its forward: the mean of exp(m) is at least 1.
 */
export interface ConditionalPut {
  readonly level: number
  /** level + drift, rounded once: far in the tails the two cancel. */
  readonly central: number
  readonly drift: number
  readonly deviation: number
  readonly shape: number
  /**
   * u = ln w at which m is half the variance, where the probability of exercise passes ½; NaN where it never does. For a
   * small deviation this is where the forward passes the strike and the value has a kink.
   */
  readonly kink: number
  /** Added to the exponents, so that prices below the smallest double do not underflow before they are scaled. */
  readonly lift: number
}

/** Beyond this many standard deviations in the money the time value is below the rounding of the payoff. */
const SURELY_EXERCISED = 9
/** Below this exponent exp is 0 in doubles, and slow to compute. */
export const LEAST_EXPONENT = -746
/** Below this u = ln w, level + drift·w keeps more digits than central + drift·(w − 1). */
export const NEAR_ZERO = -0.7

/** The value of the put given the time w = exp(u), times density(u)/density(0). */
export function valueAt(put: ConditionalPut, u: number, w: number): number {
  const log = logDensity(u, w)
  const m = u < NEAR_ZERO ? put.level + put.drift * w : put.central + put.drift * (u - log)
  return weightedValue(put, log, w, m)
}

/** `valueAt` for a log moneyness m that is known more exactly. */
export function weightedValue(put: ConditionalPut, log: number, w: number, m: number): number {
  const logWeight = put.shape * log + put.lift
  const s = put.deviation * Math.sqrt(w)
  const y = Math.abs(m) / s
  let payoff = 0
  if (m < 0) {
    payoff = -Math.exp(logWeight) * Math.expm1(m)
    if (!(y <= SURELY_EXERCISED)) return payoff
  }
  const t = 0.5 * s
  const d = m > 0 ? y - t : y + t
  // √F·exp(−m²/2s² − s²/8) = exp(−d²/2): the value out of the money is this times a difference of Mills' ratios.
  const exponent = logWeight - 0.5 * d * d
  const density = exponent > LEAST_EXPONENT ? Math.exp(exponent) * NORMAL_PEAK : 0
  if (!(t > y + 3)) return density > 0 ? payoff + density * millsDifference(y, t) : payoff
  return payoff + Math.exp(logWeight + Math.min(m, 0)) - density * (millsRatio(t - y) + millsRatio(t + y))
}

/** About the logarithm of `valueAt` without the lift, also where `valueAt` underflows. */
export function logSize(put: ConditionalPut, u: number): number {
  const w = Math.exp(u)
  const log = logDensity(u, w)
  const m = u < NEAR_ZERO ? put.level + put.drift * w : put.central + put.drift * (u - log)
  const logWeight = put.shape * log
  const s = put.deviation * Math.sqrt(w)
  if (m < 0 && !(-m < s)) return logWeight + Math.log(-Math.expm1(m))
  const d = m > 0 ? Math.max(m / s - 0.5 * s, 0) : 0
  return logWeight + Math.min(0, Math.log(s)) - 0.5 * d * d
}
