/** The agreement of probabilities with the outcomes: Brier score, calibration by bins of equal count, Hosmer–Lemeshow test. */
import { compensatedSum } from '../arithmetic/double-double.ts'
import { DomainError } from '../domain-error.ts'
import { millsRatio, NORMAL_PEAK } from '../options/mills-ratio.ts'
import { type EqualBin, equalBins } from './bins.ts'
import type { ScoreLevels } from './score-levels.ts'

/** A probability differs by less from the middle of its neighbours if it is there but for the rounding of 1 − p. */
const ROUNDING = 2 ** -50

interface CalibrationBin {
  /** The least and the greatest probability in the bin. */
  readonly lower: number
  readonly upper: number
  readonly count: number
  readonly defaults: number
  readonly meanProbability: number
  readonly observedRate: number
  /** The observed rate over that of all rows. */
  readonly lift: number
}

export interface Calibration {
  readonly brier: number
  readonly reliability: number
  readonly resolution: number
  readonly uncertainty: number
  readonly expectedError: number
  /** Undefined where a bin expects no default, or nothing else, and another outcome occurs; or where it is not finite. */
  readonly statistic: number | undefined
  /** Undefined like the statistic, and with fewer than three bins. */
  readonly pValue: number | undefined
  readonly bins: readonly CalibrationBin[]
}

/** A bin with the sums that its figures are computed from. */
interface Totals {
  readonly first: number
  readonly last: number
  readonly count: number
  readonly defaults: number
  /** Expected defaults, Σp. */
  readonly expected: number
  /** Expected non-defaults, Σ(1 − p), not as a difference: where p is near 1 it has digits that the difference loses. */
  readonly spared: number
  /** Defaults less expected defaults. */
  readonly excess: number
}

/**
 * Brier score with the decomposition of Murphy (1973) over the bins, expected calibration error, and the statistic of
 * Hosmer & Lemeshow (1980) with as many degrees of freedom as bins, less two.
 * @param levels of probabilities from 0 to 1
 * @param count bins, if equal probabilities allow as many (`equalBins`); a whole number from 1
 */
export function calibration(levels: ScoreLevels, count: number): Calibration {
  const { values, goods, bads } = levels
  if (!(values[0] >= 0 && values[values.length - 1] <= 1))
    throw new DomainError('scores', 'must be probabilities from 0 to 1')
  const size = levels.allGoods + levels.allBads
  const bins = equalBins({ values, sums: levels.ranks }, count, ROUNDING).map((bin) => totalsOf(levels, bin))
  const mean = (term: (bin: Totals) => number) => compensatedSum(bins.length, (i) => term(bins[i])) / size
  const statistic = hosmerLemeshow(bins)
  return {
    brier:
      compensatedSum(values.length, (i) => bads[i] * (1 - values[i]) ** 2 + goods[i] * values[i] ** 2) / size,
    reliability: mean(({ count, excess }) => (excess / count) * excess),
    // Without weights the numerator is a difference of integers below 2⁵³.
    resolution:
      mean(({ count, defaults }) => (defaults * size - count * levels.allBads) ** 2 / count) / size ** 2,
    uncertainty: (levels.allBads * levels.allGoods) / size ** 2,
    expectedError: mean(({ excess }) => Math.abs(excess)),
    statistic,
    pValue:
      statistic === undefined || bins.length < 3 ? undefined : chiSquareTail(statistic, bins.length - 2),
    bins: bins.map(({ first, last, count, defaults, expected }) => ({
      lower: values[first],
      upper: values[last],
      count,
      defaults,
      meanProbability: Math.min(1, expected / count),
      observedRate: defaults / count,
      lift: (defaults * size) / (count * levels.allBads),
    })),
  }
}

function totalsOf({ values, goods, bads }: ScoreLevels, { first, last }: EqualBin): Totals {
  const sum = (term: (level: number) => number) => compensatedSum(last - first + 1, (i) => term(first + i))
  const defaults = sum((level) => bads[level])
  const others = sum((level) => goods[level])
  const expected = sum((level) => (goods[level] + bads[level]) * values[level])
  const spared = sum((level) => (goods[level] + bads[level]) * (1 - values[level]))
  return {
    first,
    last,
    count: defaults + others,
    defaults,
    expected,
    spared,
    excess: expected < spared ? defaults - expected : spared - others,
  }
}

/** Σ (D − E)²/(E·(1 − E/n)), in an order of operations that neither underflows nor overflows before its result does. */
function hosmerLemeshow(bins: readonly Totals[]): number | undefined {
  const statistic = compensatedSum(bins.length, (i) => {
    const { count, excess, expected, spared } = bins[i]
    if (excess === 0) return 0
    return (excess / Math.min(expected, spared)) * excess * (count / Math.max(expected, spared))
  })
  return Number.isFinite(statistic) ? statistic : undefined
}

/** Terms are multiplied by e^(−STRIDE) when they exceed LARGE, so that neither they nor e^(−x) leave the doubles. */
const LARGE = 1e150
const STRIDE = 300

/**
 * The probability that a chi-square variable exceeds a statistic: the regularised incomplete gamma Q(d/2, s/2) by its
 * finite series (Abramowitz & Stegun 1964, 26.4.4 and 26.4.5), whose terms are all positive.
 * @param statistic s, at least 0
 * @param degrees d, a whole number from 1 to some thousands
 */
export function chiSquareTail(statistic: number, degrees: number): number {
  const x = statistic / 2
  // The tail is below the smallest double long before.
  if (x > 100 * (degrees + 100)) return 0
  const isOdd = degrees % 2 === 1
  let left = x
  let term = isOdd ? 2 * NORMAL_PEAK * Math.sqrt(statistic) : 1
  let sum = isOdd ? 2 * NORMAL_PEAK * millsRatio(Math.sqrt(statistic)) : 1
  if (isOdd && degrees > 1) sum += term
  for (let divisor = isOdd ? 1.5 : 1; divisor < degrees / 2; divisor++) {
    term *= x / divisor
    sum += term
    if (sum < LARGE) continue
    const stride = Math.min(STRIDE, left)
    left -= stride
    term *= Math.exp(-stride)
    sum *= Math.exp(-stride)
  }
  // Alone, the power may be below the doubles.
  const half = Math.exp(-left / 2)
  return Math.min(1, sum * half * half)
}
