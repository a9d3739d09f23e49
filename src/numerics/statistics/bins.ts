/** Bins of a score: of equal weight, the same from either end; the rows of a sample in each; bounds between which the rate of default is monotone. */
import { levelOf, sortNumbers } from './sort.ts'
import { WeightSums } from './weight-sums.ts'

/** A sample of a score; labels, 1 for a default, are empty where they are unknown. */
export interface Sample {
  readonly scores: Float64Array
  readonly labels: Uint8Array
  /** Rows that each row stands for, from 1e-9 to 1e9; empty: 1. */
  readonly weights: Float64Array
}

export interface Bounds {
  /** All of them, rising. */
  readonly values: Float64Array
  /** Inner bounds; a row on one of them counts half in each of both bins. */
  readonly shared: ReadonlySet<number>
}

/** The defaulters of a sample and its other rows, by bin and in all: numbers, or sums of weights in a unit that they share. */
export interface BinCounts {
  readonly goods: readonly bigint[]
  readonly bads: readonly bigint[]
  readonly allGoods: bigint
  readonly allBads: bigint
}

/** The counts in bins [lower, upper), the last of them closed, which hold every score. */
export function countsIn({ scores, labels, weights }: Sample, { values: bounds, shared }: Bounds): BinCounts {
  const bins = bounds.length - 1
  const sums = new WeightSums(2 * bins)
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]
    const side = labels.length > 0 && labels[i] === 1 ? bins : 0
    const weight = weights.length === 0 ? 1 : weights[i]
    const bin = levelOf(score, bounds, bins)
    if (score === bounds[bin] && shared.has(score)) {
      sums.add(side + bin - 1, weight / 2)
      sums.add(side + bin, weight / 2)
    } else sums.add(side + bin, weight)
  }
  const exact = (first: number) => Array.from({ length: bins }, (_, bin) => sums.exact(first + bin))
  const [goods, bads] = [exact(0), exact(bins)]
  const total = (counts: readonly bigint[]) => counts.reduce((sum, count) => sum + count, 0n)
  return { goods, bads, allGoods: total(goods), allBads: total(bads) }
}

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

/**
 * Of the bounds those that are left when neighbouring bins are pooled until their rates of default are in order (pool
 * adjacent violators: Ayer, Brunk, Ewing, Reid & Silverman 1955). The rates rise where a defaulter is in a higher bin than a
 * non-defaulter more often than in a lower one, or as often. Rates are compared as fractions of whole numbers, exactly.
 */
export function monotoneBounds({ values, shared }: Bounds, { goods, bads }: BinCounts): Bounds {
  const isRising = wins(goods, bads) >= wins(bads, goods)
  const blocks: { first: number; goods: bigint; bads: bigint }[] = []
  goods.forEach((own, first) => {
    let block = { first, goods: own, bads: bads[first] }
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      const [odds, oddsBefore] = [block.bads * last.goods, last.bads * block.goods]
      const isInOrder = isRising ? odds >= oddsBefore : odds <= oddsBefore
      // A bin without rows has no rate, and joins its neighbour.
      if (isInOrder && hasRows(last) && hasRows(block)) break
      blocks.pop()
      block = { first: last.first, goods: last.goods + block.goods, bads: last.bads + block.bads }
    }
    blocks.push(block)
  })
  return {
    values: Float64Array.of(...blocks.map(({ first }) => values[first]), values[values.length - 1]),
    shared,
  }
}

const hasRows = ({ goods, bads }: { goods: bigint; bads: bigint }) => goods + bads > 0n

/** Pairs of a row of the one kind in a higher bin and a row of the other in a lower bin. */
function wins(lower: readonly bigint[], higher: readonly bigint[]): bigint {
  let [pairs, below] = [0n, 0n]
  higher.forEach((count, bin) => {
    pairs += count * below
    below += lower[bin]
  })
  return pairs
}

/** Places in the list of the distinct values. */
export interface EqualBin {
  readonly first: number
  readonly last: number
  /** Whether the bin is that of a single value because of its weight. */
  readonly isOwn: boolean
}

/** The distinct values of a sample, rising, and the sums of the weights of all rows up to each. */
interface WeightedValues {
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
