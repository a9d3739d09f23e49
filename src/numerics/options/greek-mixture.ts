/** The means over a gamma time from which the Greeks of a put follow. */
import { type ConditionalPut, logSize } from './conditional-put.ts'
import { CurvatureSums } from './curvature-sums.ts'
import { logDensity } from './gamma-density.ts'
import { isKinkFar, largestTerm, NARROWEST_KINK, payoffSize, peakOf, steepnessOf } from './gamma-mixture.ts'
import { type GreekMeans, GreekSums, type Side } from './greek-sums.ts'
import { type RareMeans, RareSums } from './rare-sums.ts'
import { trapezoidStep } from './trapezoid-step.ts'
import { VANISHING } from './variance-gamma.ts'

/** From this shape on, the derivative by the shape is not computed as a mean of the score, whose terms cancel to 1/shape. */
const LARGE_SHAPE = 1e4
/** The same limit where the integrand is largest at |u| below NEAR_MEAN. */
const RATHER_LARGE_SHAPE = 150
const NEAR_MEAN = 0.25
/** The step as a share of the price's, for an error of 3e-16 instead of 3e-14: terms of the derivative by the shape cancel. */
const FINER = 0.86
/** Below this width of the time value relative to the density's, the sum on both sides of the kink has fewer nodes. */
const SHARP = 0.05
/** Below this width, relative to its time, the time value is too narrow for nodes in u, whose log moneyness is rounded. */
const NARROW = 0.004
/** A part of the integrand that is exp(−50) of the largest is 2e-22 of the means. */
const FAR = 50

const NOTHING: GreekMeans = {
  value: 0,
  share: 0,
  curvature: 0,
  timedCurvature: 0,
  asymmetry: 0,
  asymmetrySize: 0,
  byShape: 0,
  covariance: 0,
  covarianceSize: 0,
  lift: 0,
}

/** The means; undefined where the limit on nodes does not suffice. */
export function greekMeans(put: ConditionalPut, side: Side): GreekMeans | undefined {
  const { u, size } = largestTerm(put)
  if (!(size >= VANISHING)) return NOTHING
  const isLarge = put.shape >= LARGE_SHAPE || (put.shape >= RATHER_LARGE_SHAPE && Math.abs(u) < NEAR_MEAN)
  const lifted = { ...put, lift: Math.max(0, -size) }
  const isSharp = isNarrow(put)
  const peak = isSharp ? put.kink : peakOf(put)
  // The curvature lies at its peak, which may be far from the bulk: then each has nodes of its own.
  const isApart = u === 0 && (Number.isNaN(put.kink) || isKinkFar(put))
  if (isApart && (isSharp || logSize(put, peak) < size - FAR)) {
    const bulk = new GreekSums(lifted, side, isLarge, false)
    const far = new CurvatureSums(lifted, side.isCall)
    if (!bulk.smooth(FINER * trapezoidStep(put.shape, 0, 0), [0])) return
    const isThere = isSharp || logSize(put, peak) > VANISHING
    if (isThere && !(isSharp ? far.kinked(false) : far.smooth(stepOf(put), [peak]))) return
    // The covariance has a part at the curvature that `bulk` lacks: the infinite size keeps it from being used.
    return { ...bulk.means(), ...far.curvatureMeans(), covarianceSize: Infinity }
  }
  const sums = new GreekSums(lifted, side, isLarge, true)
  if (needsKinkedSum(put, size)) return sums.kinked(true) ? sums.means() : undefined
  const marks = [u, peak]
  if (put.central < 0) marks.push(0)
  if (payoffSize(put) > size - FAR) marks.push(put.kink)
  return sums.smooth(stepOf(put), marks) ? sums.means() : undefined
}

const NEVER: RareMeans = {
  unexercised: 0,
  share: 0,
  complement: 0,
  complementSize: 0,
  call: 0,
  callSize: 0,
}

/** The rare parts of a put that is almost surely exercised; undefined where the limit on nodes does not suffice. */
export function rareMeans(put: ConditionalPut, tilt: number): RareMeans | undefined {
  const peak = peakOf(put)
  if (rareSize(put, peak) < VANISHING && !(sizeAt(put, put.kink) >= VANISHING)) return NEVER
  const isLarge = put.shape >= LARGE_SHAPE
  const sums = new RareSums(put, tilt, isLarge)
  // The bulk of the call, where the density times exp(m) is largest.
  const grown = -Math.log(1 - put.drift / put.shape)
  const isSharp = !Number.isNaN(put.kink) && widthOf(put) * Math.sqrt(put.shape + 1) < SHARP
  const marks = [0, peak, grown]
  // Beyond the kink the density alone counts.
  if (!isSharp && sizeAt(put, put.kink) > Math.max(...marks.map((u) => rareSize(put, u))) - FAR)
    marks.push(put.kink)
  return (isSharp ? sums.kinked(true) : sums.smooth(stepOf(put), marks)) ? sums.means() : undefined
}

/** ln of the density relative to that of the mean time. */
const sizeAt = ({ shape }: ConditionalPut, u: number) => shape * logDensity(u, Math.exp(u))

/** About ln of the density times the probabilities of the rare cases at u, which both fall as exp(−d₂²/2). */
function rareSize(put: ConditionalPut, u: number): number {
  const w = Math.exp(u)
  const s = put.deviation * Math.sqrt(w)
  const d2 = Math.min(0, (put.central + put.drift * (u - logDensity(u, w))) / s - 0.5 * s)
  return sizeAt(put, u) - 0.5 * d2 * d2
}

/** The step of a smooth sum; 0 where it cannot be computed. */
function stepOf(put: ConditionalPut): number {
  const q = steepnessOf(put)
  return q < 1e300 ? FINER * trapezoidStep(put.shape + 0.5, q, 0) : 0
}

const widthOf = ({ deviation, level, drift }: ConditionalPut) =>
  deviation / Math.sqrt(Math.abs(level * drift))

/** A time value that is wider than the density is smooth at the nodes, which then lie near u = 0 and are hardly rounded. */
const isNarrow = (put: ConditionalPut) =>
  !Number.isNaN(put.kink) && widthOf(put) < NARROW && widthOf(put) * Math.sqrt(put.shape + 1) < 1

function needsKinkedSum(put: ConditionalPut, size: number): boolean {
  if (Number.isNaN(put.kink)) return false
  const width = widthOf(put)
  if (width < NARROWEST_KINK) return true
  // Where the payoff does not count, the time value alone is smooth however narrow.
  const hasPayoff = put.central < 0 || payoffSize(put) > size - FAR
  return (hasPayoff || isNarrow(put)) && width * Math.sqrt(put.shape + 1) < SHARP
}
