/** Area under the ROC curve with its standard error, and the largest gap between the classes. */
import { compensatedSum } from '../arithmetic/compensated-sum.ts'
import type { ScoreLevels } from './score-levels.ts'

export interface RocArea {
  /** Probability that a defaulter scores above a non-defaulter; a tie counts one half. */
  readonly auc: number
  /** Gini coefficient, 2·AUC − 1. */
  readonly gini: number
  /** Largest gap between the two classes' empirical distribution functions. */
  readonly ks: number
  /** The least score at which the gap is the largest. */
  readonly ksThreshold: number
  /** Of the area; undefined where the weight of defaulters, or of the others, is at most that of one row. */
  readonly standardError: number | undefined
}

/** Weights of a class whose sum exceeds 1 by less may be decimals that sum to 1, such as 0.1 and 0.9. */
const LEAST_MORE = 2 ** -40

/**
 * The area as the Mann–Whitney statistic, with the variance S10/m + S01/n of its placements (DeLong, DeLong &
 * Clarke-Pearson 1988, eq. 4 to 6). A placement is the share of the other class that a member wins against; its
 * doubled count less the mean is an integer below 2⁵³, so that only the sums of squares are rounded. A row with a weight counts as
 * so many rows.
 */
export function rocArea(levels: ScoreLevels): RocArea {
  const { values, goods, bads, allGoods, allBads, moreGoods, moreBads } = levels
  const badWins = new Float64Array(bads.length)
  const goodWins = new Float64Array(goods.length)
  let doubledWins = 0
  let gap = 0
  let widest = 0
  let good = 0
  let bad = 0
  for (let level = 0; level < goods.length; level++) {
    badWins[level] = 2 * good + goods[level]
    good += goods[level]
    bad += bads[level]
    goodWins[level] = 2 * (allBads - bad) + bads[level]
    doubledWins += bads[level] * badWins[level]
    const here = Math.abs(good * allBads - bad * allGoods)
    if (here <= gap) continue
    gap = here
    widest = level
  }
  const pairs = allGoods * allBads
  const spread = (counts: Float64Array, wins: Float64Array, all: number, more: number) =>
    compensatedSum(counts.length, (i) => counts[i] * (all * wins[i] - doubledWins) ** 2) / more / all
  // Sums of weights may be rounded beyond what they are parts of.
  doubledWins = Math.min(doubledWins, 2 * pairs)
  return {
    auc: doubledWins / (2 * pairs),
    gini: (doubledWins - pairs) / pairs,
    ks: gap / pairs,
    ksThreshold: values[widest],
    standardError:
      moreGoods < LEAST_MORE || moreBads < LEAST_MORE
        ? undefined
        : Math.sqrt(spread(bads, badWins, allBads, moreBads) + spread(goods, goodWins, allGoods, moreGoods)) /
          (2 * pairs),
  }
}
