/** The distinct values of a score, with the defaulters and the others at each. */
import { sortedByLabel } from './discrimination.ts'
import { levelOf } from './level-of.ts'
import { checkWeights, WeightSums } from './weight-sums.ts'

/** Entry i of each array describes the i-th smallest value. Rows are counted, or their weights summed. */
export interface ScoreLevels {
  readonly values: Float64Array
  readonly goods: Float64Array
  readonly bads: Float64Array
  /** Over all levels. */
  readonly allGoods: number
  readonly allBads: number
  /** `allGoods` and `allBads` less 1, without the rounding of the sums. */
  readonly moreGoods: number
  readonly moreBads: number
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
  const ranks = new WeightSums(values.length)
  const classes = new WeightSums(2)
  const goods = new Float64Array(values.length)
  const bads = new Float64Array(values.length)
  for (let i = 0; i < labels.length; i++) {
    const level = levelOf(scores[i], values, values.length)
    const side = labels[i] === 1 ? bads : goods
    side[level] += weights[i]
    ranks.add(level, weights[i])
    classes.add(labels[i], weights[i])
  }
  ranks.accumulate()
  const [allGoods, allBads] = [classes.rounded(0), classes.rounded(1)]
  for (const label of [0, 1]) classes.add(label, -1)
  const [moreGoods, moreBads] = [classes.rounded(0), classes.rounded(1)]
  return { values, goods, bads, allGoods, allBads, moreGoods, moreBads, ranks }
}

function merge(goodScores: Float64Array, badScores: Float64Array): ScoreLevels {
  const most = goodScores.length + badScores.length
  const values = new Float64Array(most)
  const goods = new Float64Array(most)
  const bads = new Float64Array(most)
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
  const ranks = new WeightSums(level)
  for (let i = 0; i < level; i++) ranks.add(i, goods[i] + bads[i])
  ranks.accumulate()
  return {
    ranks,
    values: values.subarray(0, level),
    goods: goods.subarray(0, level),
    bads: bads.subarray(0, level),
    allGoods: goodScores.length,
    allBads: badScores.length,
    moreGoods: goodScores.length - 1,
    moreBads: badScores.length - 1,
  }
}
