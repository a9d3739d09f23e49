/** The option out of the money on a log price that is normal given the reading of a random clock. */
import { logDensity } from './gamma-clock.ts'
import { millsDifference, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'

/**
 * With the clock at w (mean 1), the log forward over the strike is `level + drift·w` and its standard deviation
 * `deviation·√w`; the clock is gamma of shape `shape`. Prices are in units of the discounted strike.
 */
export interface ClockOption {
  readonly isCall: boolean
  readonly level: number
  readonly drift: number
  readonly deviation: number
  readonly shape: number
  /** 1 − drift/shape, above 0: how fast payoff times density decays against the density alone. */
  readonly margin: number
}

/** Beyond this many standard deviations in the money the time value is lost in the rounding of the payoff. */
const SURELY_EXERCISED = 9
/** Beyond this many standard deviations out of the money the value underflows. */
const SURELY_WORTHLESS = 110

/** The clock's reading at which the forward passes the strike; 0 where it never does. */
export function kinkOf({ level, drift }: ClockOption): number {
  const kink = -level / drift
  return kink > 0 && kink < 1e300 ? kink : 0
}

/** Value of the option given the clock's reading w = exp(u), times the clock's density in u over its value at 0. */
export function valueAt(option: ClockOption, u: number, w: number): number {
  return weightedValue(option, u, w, option.level + option.drift * w)
}

/** The same for the log moneyness m = level + drift·w known more exactly. */
export function weightedValue(option: ClockOption, u: number, w: number, m: number): number {
  const { isCall, level, shape, margin } = option
  const logWeight = shape * logDensity(u, w)
  const s = option.deviation * Math.sqrt(w)
  const y = Math.abs(m) / s
  let payoff = 0
  if (isCall ? m > 0 : m < 0) {
    // A large m is mostly cancelled by the weight: the sum of the two is formed without either.
    if (m > 1) payoff = Math.exp(level + shape * (u + 1 - margin * w)) - Math.exp(logWeight)
    else payoff = Math.exp(logWeight) * Math.abs(Math.expm1(m))
    if (!(y <= SURELY_EXERCISED)) return payoff
  }
  if (!(y <= SURELY_WORTHLESS)) return payoff
  const t = 0.5 * s
  const d = m > 0 ? y - t : y + t
  const density = Math.exp(logWeight - 0.5 * d * d) * NORMAL_PEAK
  if (t <= y + 3) return payoff + density * millsDifference(y, t)
  return payoff + Math.exp(logWeight + Math.min(m, 0)) - density * (millsRatio(t - y) + millsRatio(t + y))
}
