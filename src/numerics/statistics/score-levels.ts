/** The distinct values of a score, with the defaulters and the others at each. */
import { sortedByLabel } from './discrimination.ts'
import { levelOf } from './sort.ts'
import { checkWeights, WeightSums } from './weight-sums.ts'

/** Entry i of each array describes the i-th smallest value. Rows are counted, or their weights summed. */
export interface ScoreLevels {
  readonly values: Float64Array
  readonly goods: Float64Array
  readonly bads: Float64Array
  /** Cumulative sums, each including its level. */
  readonly goodsTo: Float64Array
  readonly badsTo: Float64Array
  /** Totals of all levels. */
  readonly allGoods: number
  readonly allBads: number
  /** `allGoods` and `allBads` less 1, without the rounding of the sums. */
  readonly moreGoods: number
  readonly moreBads: number
  /**
   * The gap of the classes' distribution functions after a level, without rounding, in a unit of its own; undefined without
   * weights, where rounded sums are exact.
   */
  readonly exactGap?: (level: number) => bigint
  /** The sums of the weights of all rows up to each level. */
  readonly ranks: WeightSums
}

/**
 * Sorts the scores of both classes and merges them; linear in their number.
 * @param labels 1 for a default, 0 for none; both must occur
 * @param scores finite numbers, one per label
 * @param weights greater than 0, one per label; empty: each is 1
 */
export function scoreLevels(labels: Uint8Array, scores: Float64Array, weights: Float64Array): ScoreLevels {
  checkWeights(weights, labels.length, 'weights', 'labels')
  const levels = merge(...sortedByLabel(labels, scores))
  return weights.length === 0 ? levels : weighted(levels.values, labels, scores, weights)
}

function weighted(
  values: Float64Array,
  labels: Uint8Array,
  scores: Float64Array,
  weights: Float64Array,
): ScoreLevels {
  const [good, bad, ranks] = Array.from({ length: 3 }, () => new WeightSums(values.length))
  for (let i = 0; i < labels.length; i++) {
    const level = levelOf(scores[i], values, values.length)
    const side = labels[i] === 1 ? bad : good
    side.add(level, weights[i])
    ranks.add(level, weights[i])
  }
  const [goods, bads] = [good.allRounded(), bad.allRounded()]
  for (const sums of [good, bad, ranks]) sums.accumulate()
  const last = values.length - 1
  const [exactGoods, exactBads] = [good.exact(last), bad.exact(last)]
  const gap = (level: number) => good.exact(level) * exactBads - bad.exact(level) * exactGoods
  return {
    values,
    goods,
    bads,
    ranks,
    goodsTo: good.allRounded(),
    badsTo: bad.allRounded(),
    allGoods: good.rounded(last),
    allBads: bad.rounded(last),
    moreGoods: good.rounded(last, 1),
    moreBads: bad.rounded(last, 1),
    exactGap: (level) => (gap(level) < 0n ? -gap(level) : gap(level)),
  }
}

function merge(goodScores: Float64Array, badScores: Float64Array): ScoreLevels {
  const most = goodScores.length + badScores.length
  const values = new Float64Array(most)
  const goods = new Float64Array(most)
  const bads = new Float64Array(most)
  const goodsTo = new Float64Array(most)
  const badsTo = new Float64Array(most)
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
    goodsTo[level] = good
    badsTo[level] = bad
  }
  const ranks = new WeightSums(level)
  for (let i = 0; i < level; i++) ranks.add(i, goods[i] + bads[i])
  ranks.accumulate()
  return {
    ranks,
    values: values.subarray(0, level),
    goods: goods.subarray(0, level),
    bads: bads.subarray(0, level),
    goodsTo: goodsTo.subarray(0, level),
    badsTo: badsTo.subarray(0, level),
    allGoods: goodScores.length,
    allBads: badScores.length,
    moreGoods: goodScores.length - 1,
    moreBads: badScores.length - 1,
  }
}
