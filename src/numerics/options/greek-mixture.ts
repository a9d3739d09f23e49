/** The means over a gamma time from which the Greeks of a put follow. */
import { type ConditionalPut, logSize } from './conditional-put.ts'
import { isKinkFar, largestTerm, NARROWEST_KINK } from './gamma-mixture.ts'
import { BY_SHAPE, CURVATURE, type GreekMeans, GreekSums, SHARE, TIMED, VALUE } from './greek-sums.ts'
import { VANISHING } from './variance-gamma.ts'

/** From this shape on the derivative by it is not the score's mean, which cancels to its 1/shape. */
const LARGE_SHAPE = 1e4
/** From here on likewise, where the bulk lies at times near the mean. */
const RATHER_LARGE_SHAPE = 150
const NEAR_MEAN = 0.25

/** undefined where the limit on nodes does not suffice. */
export function greekMeans(put: ConditionalPut, tilt: number): GreekMeans | undefined {
  const { u, size } = largestTerm(put)
  if (!(size >= VANISHING))
    return { value: 0, share: 0, curvature: 0, timedCurvature: 0, byShape: 0, lift: 0 }
  const isLarge = put.shape >= LARGE_SHAPE || (put.shape >= RATHER_LARGE_SHAPE && Math.abs(u) < NEAR_MEAN)
  const lifted = { ...put, lift: Math.max(0, -size) }
  const sums = new GreekSums(lifted, tilt, isLarge)
  if (!needsKinkedSum(put)) return sums.smooth(u) ? sums.means() : undefined
  if (!isKinkFar(put)) return sums.kinked() ? sums.means() : undefined
  // The curvature lies at the kink, the other means at the mean time: each has nodes of its own.
  const atKink = new GreekSums(lifted, tilt, false, [CURVATURE, TIMED])
  const bulk = new GreekSums(lifted, tilt, isLarge, [VALUE, SHARE, BY_SHAPE])
  if (!bulk.smooth(u) || !(logSize(put, put.kink) <= VANISHING || atKink.kinked())) return
  const { curvature, timedCurvature } = atKink.means()
  return { ...bulk.means(), curvature, timedCurvature }
}

function needsKinkedSum({ kink, deviation, level, drift, shape }: ConditionalPut): boolean {
  if (Number.isNaN(kink)) return false
  const width = deviation / Math.sqrt(Math.abs(level * drift))
  return width < NARROWEST_KINK || width * Math.sqrt(shape + 1) < SHARP
}

/** Below this width of the time value relative to the density's, the sum on both sides of the kink has fewer nodes. */
const SHARP = 0.05
