/** Bounds of bins that hold equal shares of one sample, for the scores of two samples. */
import type { Bounds, Sample } from './bin-counts.ts'
import { equalBins, type WeightedValues } from './equal-bins.ts'
import { levelOf } from './level-of.ts'
import { sortNumbers } from './sort.ts'
import { WeightSums } from './weight-sums.ts'

/**
 * The bounds of the equal bins of `expected`, from the least to the greatest score of both samples; negated samples have the
 * negated bounds. A bound is halfway between two expected scores, and an actual score that is there too counts half in both
 * bins. A bin of its own (`equalBins`) holds no other score of either sample: actual scores that have no other bin beside it
 * get one without expected rows.
 */
export function quantileBounds(expected: Sample, actual: Float64Array, count: number): Bounds {
  const levels = weightedValues(expected)
  const { values } = levels
  const others = sorted(actual)
  const bounds = [Math.min(values[0], others[0])]
  const shared = new Set<number>()
  const place = (bound: number) => {
    if (bound > bounds[bounds.length - 1]) bounds.push(bound)
  }
  const bins = equalBins(levels, count)
  for (let k = 0; k <= bins.length; k++) {
    const [below, above] = [bins[k - 1], bins[k]]
    const low = below ? values[below.last] : Number.NEGATIVE_INFINITY
    const high = above ? values[above.first] : Number.POSITIVE_INFINITY
    if (below?.isOwn) {
      const next = Math.min(high, others[placeAfter(low, others)] ?? high)
      if (next < Number.POSITIVE_INFINITY) place(halfway(low, next))
    }
    if (above?.isOwn) {
      const next = Math.max(low, others[placeBefore(high, others)] ?? low)
      if (next > Number.NEGATIVE_INFINITY) place(halfway(next, high))
    }
    if (below?.isOwn === false && above?.isOwn === false) {
      const bound = halfway(low, high)
      place(bound)
      if (bound < high) shared.add(bound)
    }
  }
  return { values: Float64Array.of(...bounds, Math.max(values.at(-1)!, others.at(-1)!)), shared }
}

const sorted = (scores: Float64Array) => sortNumbers(scores.map((score) => score + 0))

/** The mean of two different numbers, or the greater one if there is no double between them. */
function halfway(low: number, high: number): number {
  const middle = low / 2 + high / 2
  return middle > low ? middle : high
}

/** The place of the least of rising numbers above a number. */
const placeAfter = (number: number, values: Float64Array) =>
  number < values[0] ? 0 : levelOf(number, values, values.length) + 1

/** The place of the greatest of rising numbers below a number. */
function placeBefore(number: number, values: Float64Array): number {
  let end = values.length
  for (let start = -1; end - start > 1; ) {
    const middle = (start + end) >> 1
    if (values[middle] < number) start = middle
    else end = middle
  }
  return end - 1
}

function weightedValues({ scores, weights }: Sample): WeightedValues {
  const rising = sorted(scores)
  const values = rising.filter((score, i) => i === 0 || score > rising[i - 1])
  const sums = new WeightSums(values.length)
  for (let i = 0; i < scores.length; i++)
    sums.add(levelOf(scores[i], values, values.length), weights.length === 0 ? 1 : weights[i])
  sums.accumulate()
  return { values, sums }
}
