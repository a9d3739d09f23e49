/** Bins of a score: the rows of a sample in each, and bounds that hold equal shares, or between which the rate of default is monotone. */
import { equalBins, type WeightedValues } from './equal-bins.ts'
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
