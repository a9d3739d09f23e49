/** Bins of equal weight over the distinct values of a sample, which are the same when the values are counted from the other end. */
import type { WeightSums } from './weight-sums.ts'

/** Places in the list of the distinct values. */
export interface EqualBin {
  readonly first: number
  readonly last: number
  /** Whether the bin is that of a single value because of its weight. */
  readonly isOwn: boolean
}

/** The distinct values of a sample, rising, and the sums of the weights of all rows up to each. */
export interface WeightedValues {
  readonly values: Float64Array
  readonly sums: WeightSums
}

/**
 * A value that holds 1/count of the weight or more has a bin of its own. Each run of other values, of weight r in units of
 * 1/count of all, is divided into ⌊r⌋ bins, or one: each quantile moves to the nearest end of a value's rows, of two that are
 * as near to the one nearer to the middle of the run. If the middle itself halves the rows of a value, the value is in the bin of the nearer
 * neighbour; if both are as near, an odd number of bins has the same bins from either end: one bin fewer, but three instead
 * of two that are asked for. So several values have several bins, and there are more than `count` only if a run lighter than
 * 1/count is beside a value with a bin of its own, or three are made of two.
 * @param count whole number from 1
 * @param tolerance of the difference of a value from the middle of its neighbours
 */
export function equalBins({ values, sums }: WeightedValues, count: number, tolerance = 0): EqualBin[] {
  const end = values.length - 1
  const owns = ownPlaces(sums, end, count)
  const bins: EqualBin[] = []
  let first = 0
  for (const own of [...owns, end + 1]) {
    if (own > first) {
      const run = { first, last: own - 1 }
      const parts = Number((BigInt(count) * sums.between(first, own - 1)) / sums.between(0, end))
      const starts = startsIn({ values, sums }, run, { parts: Math.max(1, parts), count, tolerance })
      starts.forEach((start, k) => {
        bins.push({ first: start, last: (starts[k + 1] ?? own) - 1, isOwn: false })
      })
    }
    if (own <= end) bins.push({ first: own, last: own, isOwn: true })
    first = own + 1
  }
  return bins
}

/** A value that holds 1/count contains a quantile, or ends with it. */
function ownPlaces(sums: WeightSums, end: number, count: number): number[] {
  const places = new Set(Array.from({ length: count }, (_, k) => sums.placeOf(k + 1, count, 0, end)))
  const all = sums.between(0, end)
  return [...places].filter((place) => BigInt(count) * sums.between(place, place) >= all)
}

interface Run {
  readonly first: number
  readonly last: number
}

interface Division {
  readonly parts: number
  readonly count: number
  readonly tolerance: number
}

/** The first value of each part of a run of values, each of which weighs less than a part. */
function startsIn(levels: WeightedValues, run: Run, division: Division): number[] {
  const { parts, count, tolerance } = division
  const starts = [run.first]
  for (let k = 1; k < parts; k++) {
    const place = levels.sums.placeOf(k, parts, run.first, run.last)
    let side = sideOf(levels.sums, run, place, k, parts) || Math.sign(parts - 2 * k)
    if (side === 0) side = leaning(levels.values, place, tolerance)
    if (side === 0) return startsIn(levels, run, { ...division, parts: count === 2 ? 3 : parts - 1 })
    starts.push(side > 0 ? place + 1 : place)
  }
  return starts
}

/** Of the quantile part/whole of a run, which is in the rows of a value: 1 if their end is nearer, −1 if their start is, or 0. */
function sideOf(sums: WeightSums, { first, last }: Run, place: number, part: number, whole: number): number {
  const toMiddle = 2n * sums.between(first, place) - sums.between(place, place)
  const beyond = 2n * BigInt(part) * sums.between(first, last) - BigInt(whole) * toMiddle
  return beyond > 0n ? 1 : beyond < 0n ? -1 : 0
}

/** 1 if the value is nearer to the one before it, −1 if to the one after it, or 0. */
function leaning(values: Float64Array, place: number, tolerance: number): number {
  const excess = values[place] - (values[place - 1] / 2 + values[place + 1] / 2)
  return excess < -tolerance ? 1 : excess > tolerance ? -1 : 0
}
