/** The mean over a gamma time of a put's value, by the trapezoidal rule in the logarithm of the time. */
import { spend } from '../budget.ts'
import { type ConditionalPut, logSize, valueAt } from './conditional-put.ts'
import { logDensity } from './gamma-density.ts'
import { trapezoidStep } from './trapezoid-step.ts'

/** The sum ends at a term below this share of the sum. */
const NEGLIGIBLE = 1e-15
/** The step ignores a kink at which the density is below exp(−50) = 2e-22 of that of the bulk. */
const FAR_KINK = 50
/** A kink narrower than this, relative to its time, is too narrow for the smooth sum, whose terms are rounded. */
export const NARROWEST_KINK = 1e-8
/** A sum that starts at a term above this cannot underflow. */
const ORDINARY = 1e-100
/** The time of a node, in microseconds. */
const NODE_MICROS = 0.1

/** The u = ln w near which the integrand is largest, and the logarithm of its size there. */
export function largestTerm(put: ConditionalPut): { u: number; size: number } {
  let u = 0
  let size = logSize(put, 0)
  const peak = peakOf(put)
  const atPeak = logSize(put, peak)
  if (atPeak > size) {
    u = peak
    size = atPeak
  }
  const atKink = Math.max(logSize(put, put.kink), payoffSize(put))
  if (atKink > size) {
    u = put.kink
    size = atKink
  }
  return { u, size }
}

/** A term of the sum: the logarithm of the time, and the value times the density. */
export interface Term {
  readonly u: number
  readonly value: number
}

/** A term that is large enough for the sum to start at; undefined where the sum must start at `largestTerm`. */
export function ordinaryTerm(put: ConditionalPut): Term | undefined {
  const u = peakOf(put)
  const value = valueAt(put, u, Math.exp(u))
  if (put.central < 0) {
    const atMean = valueAt(put, 0, 1)
    if (atMean >= value) return atMean > ORDINARY ? { u: 0, value: atMean } : undefined
  }
  return value > ORDINARY ? { u, value } : undefined
}

/**
 * Σ h·value(nh)·density(nh)/density(0), or −1 where that takes more than `most` nodes or the kink is too narrow. The integrand
 * is analytic, so the sum converges exponentially; all terms are positive. They are summed from `start` in both directions.
 */
export function gammaMixture(put: ConditionalPut, start: Term, most: number): number {
  const { deviation, drift, level, shape } = put
  const depth = bulkDepth(put)
  if (depth > FAR_KINK) return sumFrom(start, put, trapezoidStep(shape, 0, 0), most)
  const q = steepnessOf(put)
  const hasKink = !Number.isNaN(put.kink)
  if (!(q < 1e300)) return hasKink ? -1 : 0
  if (hasKink && deviation * deviation < NARROWEST_KINK ** 2 * Math.abs(level * drift)) return -1
  return sumFrom(start, put, trapezoidStep(shape + 0.5, q, depth), most)
}

/** The q = 2√(BC) of `trapezoidStep`, for a time value times density of about exp(αu − B·exp(u) − C·exp(−u)). */
export function steepnessOf({ deviation, drift, level, shape }: ConditionalPut): number {
  const tilt = drift / deviation - 0.5 * deviation
  return Math.sqrt(2 * shape + tilt * tilt) * Math.abs(level / deviation)
}

/** About the logarithm of the largest payoff times density beyond the kink, for a density that falls on that side. */
export function payoffSize({ kink, level, shape }: ConditionalPut): number {
  const fall = 1 + shape * Math.abs(Math.expm1(kink))
  return shape * logDensity(kink, Math.exp(kink)) + Math.min(0, Math.log(Math.abs(level) / fall))
}

/** Whether the bulk, at the mean time, makes up the whole price, so that the kink does not count. */
export const isKinkFar = (put: ConditionalPut): boolean => bulkDepth(put) > FAR_KINK

/** −ln of the density at the kink over the bulk, if the put is in the money at the mean time, so that the bulk lies there; else 0. */
function bulkDepth({ central, kink, shape }: ConditionalPut): number {
  if (!(central < 0) || Number.isNaN(kink)) return 0
  const bulk = Math.log(-Math.expm1(central))
  return Math.max(0, bulk - shape * logDensity(kink, Math.exp(kink)))
}

/**
 * The u at which the time value times the density, about exp(αu − rise·exp(u) − fall·exp(−u)), has its peak. A peak so narrow
 * that a logarithm is too coarse is found by a Newton step from 0.
 */
export function peakOf({ central, deviation, drift, level, shape }: ConditionalPut): number {
  const alpha = shape + 0.5
  const tilt = drift / deviation - 0.5 * deviation
  const distance = level / deviation
  const rise = shape + 0.5 * tilt * tilt
  const fall = 0.5 * distance * distance
  if (alpha > 1e8) {
    // α − rise + fall, free of cancellation.
    const slope = 0.5 + 0.5 * (distance - tilt) * (central / deviation - 0.5 * deviation)
    if (alpha > 1e8 * (1 + Math.abs(slope))) return slope / (rise + fall)
  }
  return Math.log((alpha + Math.sqrt(alpha * alpha + 4 * rise * fall)) / (2 * rise))
}

function sumFrom(peak: Term, put: ConditionalPut, step: number, most: number): number {
  const { u: start, value: largest } = peak
  if (largest === 0) return Number.isNaN(put.kink) ? 0 : -1
  let sum = largest
  let last = largest
  let nodes = 1
  const up = Math.exp(step)
  for (let w = Math.exp(start) * up; nodes < most; w *= up) {
    spend(NODE_MICROS)
    const term = valueAt(put, start + nodes * step, w)
    sum += term
    nodes++
    if (term <= NEGLIGIBLE * sum && term <= last) break
    last = term
  }
  const left = leftward(peak, put, step, sum, most - nodes)
  return left < 0 ? -1 : step * (sum + left)
}

/** The sum of the terms left of the start; −1 where it takes more than `most` nodes. */
function leftward(
  { u: start, value: largest }: Term,
  put: ConditionalPut,
  step: number,
  right: number,
  most: number,
): number {
  const { level, drift, deviation, shape } = put
  const decay = level < 0 ? Math.min(1, -Math.expm1(-shape * step)) : 0.1
  let sum = 0
  let last = largest
  const down = Math.exp(-step)
  let w = Math.exp(start)
  for (let n = 1; n <= most; n++) {
    spend(NODE_MICROS)
    w *= down
    const term = valueAt(put, start - n * step, w)
    sum += term
    if (term <= NEGLIGIBLE * decay * (right + sum) && term <= last) return sum
    last = term
    // Where the put is constant and only the density changes, as exp(shape·u), the rest is a geometric series.
    if (
      level < 0 &&
      w * (Math.abs(drift) - level * shape) < -NEGLIGIBLE * level &&
      -level > 9 * deviation * Math.sqrt(w)
    )
      return sum + term / Math.expm1(shape * step)
  }
  return -1
}
