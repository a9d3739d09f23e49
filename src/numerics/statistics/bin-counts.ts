/** The number of rows of a sample in each bin. */
import { levelOf } from './level-of.ts'
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
