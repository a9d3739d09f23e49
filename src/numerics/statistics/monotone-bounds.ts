/** Bins between which the rate of default only rises, or only falls. */
import type { BinCounts, Bounds } from './bin-counts.ts'

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
