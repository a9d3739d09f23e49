/** Bins between which the rate of default only rises, or only falls. */
import type { BinCounts } from './bin-counts.ts'

/**
 * Of the bounds those that are left when neighbouring bins are pooled until their rates of default are in order (pool
 * adjacent violators: Ayer, Brunk, Ewing, Reid & Silverman 1955). The rates rise where a defaulter is in a higher bin than a
 * non-defaulter more often than in a lower one, or as often. Rates are compared as fractions of whole numbers, exactly.
 */
export function monotoneBounds(bounds: Float64Array, counts: BinCounts): Float64Array {
  const sign = isRising(counts) ? 1 : -1
  const blocks: { first: number; all: number; bads: number }[] = []
  counts.all.forEach((all, first) => {
    let block = { first, all, bads: counts.bads[first] }
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      // A bin without rows has no rate, and joins its neighbour.
      const isInOrder = sign * (block.bads * last.all - last.bads * block.all) >= 0
      if (isInOrder && last.all > 0 && block.all > 0) break
      blocks.pop()
      block = { first: last.first, all: last.all + block.all, bads: last.bads + block.bads }
    }
    blocks.push(block)
  })
  return Float64Array.of(...blocks.map(({ first }) => bounds[first]), bounds[bounds.length - 1])
}

function isRising({ all, bads, rows, defaults }: BinCounts): boolean {
  let goods = 0
  let doubledWins = 0
  for (let bin = 0; bin < all.length; bin++) {
    const own = all[bin] - bads[bin]
    doubledWins += bads[bin] * (2 * goods + own)
    goods += own
  }
  return doubledWins >= defaults * (rows - defaults)
}
