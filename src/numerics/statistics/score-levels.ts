/** The distinct values of a score, with the defaulters and the others at each. */
import { sortedByLabel } from './discrimination.ts'

/** Entry i of each array describes the i-th smallest value. */
export interface ScoreLevels {
  readonly values: Float64Array
  readonly goods: Uint32Array
  readonly bads: Uint32Array
  /** Over all levels. */
  readonly allGoods: number
  readonly allBads: number
}

/**
 * Sorts the scores of both classes and merges them; linear in their number.
 * @param labels 1 for a default, 0 for none; both must occur
 * @param scores finite numbers, one per label
 */
export function scoreLevels(labels: Uint8Array, scores: Float64Array): ScoreLevels {
  return merge(...sortedByLabel(labels, scores))
}

function merge(goodScores: Float64Array, badScores: Float64Array): ScoreLevels {
  const most = goodScores.length + badScores.length
  const values = new Float64Array(most)
  const goods = new Uint32Array(most)
  const bads = new Uint32Array(most)
  let good = 0
  let bad = 0
  let level = 0
  for (; good < goodScores.length || bad < badScores.length; level++) {
    const value =
      bad === badScores.length || goodScores[good] < badScores[bad] ? goodScores[good] : badScores[bad]
    const [goodBefore, badBefore] = [good, bad]
    while (good < goodScores.length && goodScores[good] === value) good++
    while (bad < badScores.length && badScores[bad] === value) bad++
    values[level] = value
    goods[level] = good - goodBefore
    bads[level] = bad - badBefore
  }
  return {
    values: values.subarray(0, level),
    goods: goods.subarray(0, level),
    bads: bads.subarray(0, level),
    allGoods: goodScores.length,
    allBads: badScores.length,
  }
}
