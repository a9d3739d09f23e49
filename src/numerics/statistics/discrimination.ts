/** Discriminatory power of a credit score: area under the ROC curve, Gini coefficient, Kolmogorov–Smirnov statistic. */
import { DomainError } from '../domain-error.ts'
import { sortNumbers } from './sort.ts'

export interface Discrimination {
  /** Probability that a defaulter scores above a non-defaulter; a tie counts one half. */
  readonly auc: number
  /** Gini coefficient, also called accuracy ratio or Somers' D: 2·AUC − 1. */
  readonly gini: number
  /** Largest gap between the two classes' empirical distribution functions. */
  readonly ks: number
}

/**
 * Area under the ROC curve as the Mann–Whitney statistic (Hanley & McNeil 1982), Gini and Kolmogorov–Smirnov statistic;
 * a higher score means a higher risk. Pairs are counted in integers, exact up to 2⁵³, so each result is rounded once.
 * @param labels 1 for a default, 0 for none; both must occur
 * @param scores finite numbers, one per label
 */
export function discrimination(labels: Uint8Array, scores: Float64Array): Discrimination {
  const [goods, bads] = sortedByLabel(labels, scores)
  const { doubledWins, gap } = compareRanks(goods, bads)
  const pairs = goods.length * bads.length
  return { auc: doubledWins / (2 * pairs), gini: (doubledWins - pairs) / pairs, ks: gap / pairs }
}

/** The scores of each class, ascending, with −0 replaced by 0. Throws DomainError where a class is missing. */
export function sortedByLabel(labels: Uint8Array, scores: Float64Array): [Float64Array, Float64Array] {
  if (labels.length !== scores.length)
    throw new DomainError('scores', `has ${scores.length} values but {labels} has ${labels.length}`)
  const [goods, bads] = splitByLabel(labels, scores)
  if (goods.length === 0 || bads.length === 0)
    throw new DomainError('labels', 'must contain both classes: at least one 0 and one 1')
  return [sortNumbers(goods), sortNumbers(bads)]
}

function splitByLabel(labels: Uint8Array, scores: Float64Array): [Float64Array, Float64Array] {
  let defaults = 0
  for (let i = 0; i < labels.length; i++) defaults += labels[i]
  const first = labels.length - defaults
  const classes = new Float64Array(labels.length)
  let good = 0
  let bad = first
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i]
    classes[label === 1 ? bad : good] = scores[i] + 0
    bad += label
    good += 1 - label
  }
  return [classes.subarray(0, first), classes.subarray(first)]
}

/**
 * Merges both ascending lists by the distinct scores of the defaulters. Returns twice the number of won pairs, and the
 * largest gap times the number of pairs: the gap has its extremes directly before and after the defaulters of one score.
 */
function compareRanks(goods: Float64Array, bads: Float64Array): { doubledWins: number; gap: number } {
  const gapAt = (good: number, bad: number) => Math.abs(good * bads.length - bad * goods.length)
  let doubledWins = 0
  let gap = 0
  let good = 0
  let bad = 0
  while (bad < bads.length) {
    const score = bads[bad]
    const badBefore = bad
    while (good < goods.length && goods[good] < score) good++
    const goodBefore = good
    while (good < goods.length && goods[good] === score) good++
    while (bad < bads.length && bads[bad] === score) bad++
    doubledWins += (bad - badBefore) * (goodBefore + good)
    gap = Math.max(gap, gapAt(goodBefore, badBefore), gapAt(good, bad))
  }
  return { doubledWins, gap }
}
