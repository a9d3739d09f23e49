/** The validation of predicted probabilities of default: discrimination and calibration. */
import { compensatedSum } from '../arithmetic/double-double.ts'
import { DomainError } from '../domain-error.ts'
import { millsRatio, NORMAL_PEAK } from '../options/mills-ratio.ts'
import { type Calibration, calibration } from './calibration.ts'
import { type ScoreLevels, scoreLevels } from './score-levels.ts'

export interface Validation extends RocArea, Calibration {
  /** The normal interval about the area, cut at 0 and 1; undefined like its standard error. */
  readonly lower: number | undefined
  readonly upper: number | undefined
}

export interface ValidationOptions {
  readonly bins: number
  /** Confidence level of the interval, between 0 and 1. */
  readonly confidence: number
  /** Rows that each row stands for; empty: 1. */
  readonly weights: Float64Array
}

/**
 * @param labels 1 for a default, 0 for none; both must occur
 * @param scores probabilities of default, one per label
 */
export function validation(
  labels: Uint8Array,
  scores: Float64Array,
  { bins, confidence, weights }: ValidationOptions,
): Validation {
  if (!(confidence > 0 && confidence < 1)) throw new DomainError('confidence', 'must be between 0 and 1')
  const levels = scoreLevels(labels, scores, weights)
  const area = rocArea(levels)
  const reach =
    area.standardError === undefined ? undefined : normalQuantile((1 - confidence) / 2) * area.standardError
  return {
    ...area,
    ...calibration(levels, bins),
    lower: reach === undefined ? undefined : Math.max(0, area.auc - reach),
    upper: reach === undefined ? undefined : Math.min(1, area.auc + reach),
  }
}

/**
 * The z that a standard normal variable exceeds with probability α, by Newton steps on ln(1 − Φ(z)). It is concave, so that
 * the first step from 0 goes beyond the root and the others descend to it.
 * @param tail α, greater than 0 and at most 1/2
 */
export function normalQuantile(tail: number): number {
  const target = Math.log(tail / NORMAL_PEAK)
  let z = 0
  // Six to eight steps are enough; the limit only ends a circle of neighbouring doubles.
  for (let step = 0; step < 60; step++) {
    const ratio = millsRatio(z)
    const next = Math.max(0, z + (Math.log(ratio) - 0.5 * z * z - target) * ratio)
    if (Math.abs(next - z) <= 1e-16 * z) return next
    z = next
  }
  return z
}

interface RocArea {
  /** Probability that a defaulter scores above a non-defaulter; a tie counts one half. */
  readonly auc: number
  /** Gini coefficient, 2·AUC − 1. */
  readonly gini: number
  /** Largest gap between the two classes' empirical distribution functions. */
  readonly ks: number
  /** The least score at which the gap is the largest. */
  readonly ksThreshold: number
  /** Standard error of the area; undefined where the weight of defaulters, or of the others, is at most that of one row. */
  readonly standardError: number | undefined
}

/** Weights of a class whose sum exceeds 1 by less may be decimals that sum to 1, such as 0.1 and 0.9. */
const LEAST_MORE = 2 ** -40

/** Gaps that differ by less, as a share of the number of pairs, may differ by rounding only. */
const NEAR = 2 ** -50

/**
 * The area as the Mann–Whitney statistic, with the variance S10/m + S01/n of its placements (DeLong, DeLong &
 * Clarke-Pearson 1988, eq. 4 to 6). A placement is the share of the other class that a member wins against; its doubled
 * count less the mean is an integer below 2⁵³, so that only the sums of squares are rounded. A row with a weight counts as so
 * many rows.
 */
function rocArea(levels: ScoreLevels): RocArea {
  const { goods, bads, goodsTo, allGoods, allBads, moreGoods, moreBads } = levels
  const won = (level: number) => bads[level] * (2 * goodsTo[level] - goods[level])
  const pairs = allGoods * allBads
  // Sums of weights may be rounded beyond what they are parts of.
  const doubledWins = Math.min(compensatedSum(bads.length, won), 2 * pairs)
  const variance = spread(bads, goods, allBads, moreBads) + spread(goods, bads, allGoods, moreGoods)
  return {
    ...largestGap(levels),
    auc: doubledWins / (2 * pairs),
    gini: (doubledWins - pairs) / pairs,
    standardError:
      moreGoods < LEAST_MORE || moreBads < LEAST_MORE ? undefined : Math.sqrt(variance) / (2 * pairs),
  }
}

function largestGap({ values, goodsTo, badsTo, allGoods, allBads, exactGap }: ScoreLevels) {
  const gap = (level: number) => Math.abs(goodsTo[level] * allBads - badsTo[level] * allGoods)
  const pairs = allGoods * allBads
  let widest = 0
  for (let level = 1; level < values.length; level++) {
    const more = gap(level) - gap(widest)
    if (exactGap && Math.abs(more) < NEAR * pairs ? exactGap(level) > exactGap(widest) : more > 0)
      widest = level
  }
  return { ks: gap(widest) / pairs, ksThreshold: values[widest] }
}

/**
 * Σ counts·(all·wins − Σ counts·wins)²/more/all over the levels, where wins is twice the number of the others below a level and
 * once that of those at it. They are counted from the level with most rows on: one with nearly all of them has nearly the mean.
 */
function spread(counts: Float64Array, others: Float64Array, all: number, more: number): number {
  const wins = new Float64Array(counts.length)
  const middle = counts.indexOf(counts.reduce((most, count) => Math.max(most, count), 0))
  for (let i = middle + 1; i < wins.length; i++) wins[i] = wins[i - 1] + others[i - 1] + others[i]
  for (let i = middle - 1; i >= 0; i--) wins[i] = wins[i + 1] - others[i + 1] - others[i]
  const sum = compensatedSum(wins.length, (i) => counts[i] * wins[i])
  return compensatedSum(wins.length, (i) => counts[i] * (all * wins[i] - sum) ** 2) / more / all
}
