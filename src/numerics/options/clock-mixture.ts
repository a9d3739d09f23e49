/** The mean over a gamma clock of an option's value, by the trapezoid rule in the logarithm of the clock. */
import { type ClockOption, kinkOf, valueAt } from './clock-option.ts'
import { logDensity } from './gamma-clock.ts'
import { trapezoidStep } from './trapezoid-step.ts'

/** A term this small against the sum ends it. */
const NEGLIGIBLE = 1e-15

/**
 * Σ h·value(nh)·density(nh)/density(0), or −1 where that takes more than `most` nodes. The integrand is analytic, so
 * the sum converges exponentially, and all terms are positive. It is walked from near its largest term both ways.
 */
export function clockMixture(option: ClockOption, most: number): number {
  const { isCall, level, drift, deviation, shape, margin } = option
  const variance = 2 * deviation * deviation
  const tilt = drift - 0.5 * deviation * deviation
  const alpha = shape + 0.5
  const rise = shape + (tilt * tilt) / variance
  const fall = (level * level) / variance
  const q = 2 * Math.sqrt(rise) * Math.sqrt(fall)
  // So small a deviation leaves the option where it is: worthless on this side of the money.
  if (!(q < 1e300)) return 0
  const step = trapezoidStep(alpha, q, kinkDepth(option))

  let start = peakOf(alpha, rise, fall, shape)
  let largest = valueAt(option, start, Math.exp(start))
  const moneyness = level + drift * Math.exp(start)
  if (isCall ? moneyness > 0 : moneyness < 0) {
    const bulk = isCall ? -Math.log(margin) : 0
    const atBulk = valueAt(option, bulk, Math.exp(bulk))
    if (atBulk > largest) {
      start = bulk
      largest = atBulk
    }
  }
  if (largest === 0) return 0

  let sum = largest
  let last = largest
  let nodes = 1
  const up = Math.exp(step)
  for (let w = Math.exp(start) * up; nodes < most; w *= up) {
    const term = valueAt(option, start + nodes * step, w)
    sum += term
    nodes++
    if (term <= NEGLIGIBLE * sum && term <= last) break
    last = term
  }
  const left = leftward(option, start, step, sum, largest, most - nodes)
  return left < 0 ? -1 : step * (sum + left)
}

/** Where αu − rise·exp(u) − fall·exp(−u) peaks; by a Newton step from 0 where a logarithm is too coarse for so narrow a peak. */
function peakOf(alpha: number, rise: number, fall: number, shape: number): number {
  const slope = alpha - shape - (rise - shape) + fall
  if (shape > 1e8 * (1 + Math.abs(slope))) return slope / (rise + fall)
  return Math.log((alpha + Math.sqrt(alpha * alpha + 4 * rise * fall)) / (2 * rise))
}

/** The terms left of the start; −1 where `most` are not enough. */
function leftward(
  option: ClockOption,
  start: number,
  step: number,
  right: number,
  largest: number,
  most: number,
): number {
  const { isCall, level, drift, deviation, shape } = option
  const exercisedAtZero = isCall ? level > 0 : level < 0
  const decay = exercisedAtZero ? Math.min(1, -Math.expm1(-shape * step)) : 0.1
  let sum = 0
  let last = largest
  const down = Math.exp(-step)
  let w = Math.exp(start)
  for (let n = 1; n <= most; n++) {
    w *= down
    const term = valueAt(option, start - n * step, w)
    sum += term
    if (term <= NEGLIGIBLE * decay * (right + sum) && term <= last) return sum
    last = term
    // Where only the density still changes, as exp(shape·u), what remains is a geometric series.
    if (
      exercisedAtZero &&
      w * (Math.abs(drift) + Math.abs(level) * shape) < NEGLIGIBLE * Math.abs(level) &&
      Math.abs(level) > 9 * deviation * Math.sqrt(w)
    )
      return sum + term / Math.expm1(shape * step)
  }
  return -1
}

/**
 * How small, as −ln, the clock's density is where the option passes the money, against the bulk of its value beyond:
 * at the clock's mean, or for a call where payoff times density peaks, at 1/margin.
 */
function kinkDepth(option: ClockOption): number {
  const { isCall, level, drift, shape, margin } = option
  const kink = kinkOf(option)
  if (kink === 0) return 0
  const atMean = level + drift
  const atPeak = level + drift / margin
  let bulk = -Infinity
  if (isCall ? atMean > 0 : atMean < 0) bulk = Math.log(-Math.expm1(-Math.abs(atMean)))
  if (isCall && atPeak > 0)
    bulk = Math.max(bulk, level - shape * Math.log(margin) + Math.log(-Math.expm1(-atPeak)))
  return Math.max(0, bulk - shape * logDensity(Math.log(kink), kink))
}
