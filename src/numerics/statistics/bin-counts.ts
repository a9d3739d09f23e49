/** How many rows of a sample are in each bin. */
import { DomainError } from '../domain-error.ts'

/** A sample of a score; labels, 1 for a default, are empty where they are unknown. */
export interface Sample {
  readonly scores: Float64Array
  readonly labels: Uint8Array
}

/** The rows of a sample and its defaulters, by bin and in all. */
export interface BinCounts {
  readonly all: Uint32Array
  readonly bads: Uint32Array
  readonly rows: number
  readonly defaults: number
}

/**
 * The counts in bins [lower, upper), the last of them closed.
 * @param bounds all of them, rising
 * @param parameter that holds the scores
 */
export function countsIn({ scores, labels }: Sample, bounds: Float64Array, parameter: string): BinCounts {
  const bins = bounds.length - 1
  const all = new Uint32Array(bins)
  const bads = new Uint32Array(bins)
  let defaults = 0
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]
    if (score < bounds[0] || score > bounds[bins])
      throw new DomainError(`${parameter}.${i}`, `must be within {edges}, ${bounds[0]} to ${bounds[bins]}`)
    let bin = 0
    for (let end = bins; end - bin > 1; ) {
      const middle = (bin + end) >> 1
      if (score < bounds[middle]) end = middle
      else bin = middle
    }
    all[bin]++
    const label = labels.length === 0 ? 0 : labels[i]
    bads[bin] += label
    defaults += label
  }
  return { all, bads, rows: scores.length, defaults }
}
