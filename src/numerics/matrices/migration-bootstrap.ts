/** The variation of probabilities of default if the rating moves were observed anew. */
import { type Random, seededRandom } from '../arithmetic/random.ts'
import { multinomialCounts, poissonCount } from '../arithmetic/random-counts.ts'
import { DomainError } from '../domain-error.ts'
import { quantilePlace } from '../statistics/order-statistics.ts'
import { defaultProbabilities } from './default-probabilities.ts'
import type { Matrix } from './matrix.ts'
import { generatorOf, type MigrationData } from './migration-generator.ts'

export interface Bootstrap {
  readonly samples: number
  /** Confidence level of the intervals, between 0 and 1. */
  readonly confidence: number
  readonly seed: number
}

export interface ProbabilityBounds {
  /** A row per time, a column per rating. */
  readonly lower: Matrix
  readonly upper: Matrix
}

/**
 * The percentile intervals (Efron 1981) of the probabilities of default over samples of the moves. For the logarithm the
 * borrowers of each rating are drawn with replacement (Hanson & Schuermann 2006), for durations the moves from a rating are a
 * Poisson number with the observed mean, since the years are given; each goes where one of the observed moves went. Throws
 * DomainError where counts are no whole numbers, and where a share of the samples that decides an end of the interval has no
 * logarithm.
 */
export function migrationBootstrap(
  data: MigrationData,
  times: readonly number[],
  { samples, confidence, seed }: Bootstrap,
): ProbabilityBounds {
  const { counts, method } = data
  counts.values.forEach((count, cell) => {
    const [row, column] = [Math.floor(cell / counts.rows), cell % counts.rows]
    if (isDrawn(row, column, counts.rows, method) && !Number.isInteger(count))
      throw new DomainError(
        `counts.${row}.${column}`,
        'must be a whole number: a bootstrap draws single borrowers',
      )
  })
  const random = seededRandom(seed)
  const found: Float64Array[] = []
  for (let sample = 0; sample < samples; sample++) {
    const generator = generatorOf({ ...data, counts: drawn(random, data) })
    if (generator !== undefined) found.push(defaultProbabilities(generator, times).values)
  }
  const tail = (1 - confidence) / 2
  if (!(samples - found.length < tail * samples))
    throw new DomainError(
      'samples',
      `contain ${samples - found.length} without a real principal logarithm, too many for an interval: use the method duration`,
    )
  return bounds(found, tail, { rows: times.length, columns: counts.rows })
}

/** Whether a count is drawn anew: default is not left, and durations do not count those who stay. */
export const isDrawn = (row: number, column: number, ratings: number, method: MigrationData['method']) =>
  row < ratings - 1 && !(method === 'duration' && row === column)

function drawn(random: Random, { counts, method }: MigrationData): Matrix {
  const { rows: size } = counts
  const values = new Float64Array(counts.values.length)
  for (let row = 0; row < size - 1; row++) {
    const own = counts.values.subarray(row * size, (row + 1) * size)
    const weights = own.map((count, column) => (isDrawn(row, column, size, method) ? count : 0))
    const total = weights.reduce((sum, count) => sum + count, 0)
    if (total === 0) continue
    values.set(
      multinomialCounts(random, method === 'duration' ? poissonCount(random, total) : total, weights),
      row * size,
    )
  }
  return { ...counts, values }
}

function bounds(
  found: readonly Float64Array[],
  tail: number,
  shape: { readonly rows: number; readonly columns: number },
): ProbabilityBounds {
  const [lower, upper] = [0, 1].map(() => new Float64Array(shape.rows * shape.columns))
  const quantile = (sorted: Float64Array, probability: number) => {
    const { below, above, fraction } = quantilePlace(sorted.length, probability)
    return sorted[below] + fraction * (sorted[above] - sorted[below])
  }
  for (let cell = 0; cell < lower.length; cell++) {
    const sorted = Float64Array.from(found, (values) => values[cell]).sort()
    lower[cell] = quantile(sorted, tail)
    upper[cell] = quantile(sorted, 1 - tail)
  }
  return { lower: { ...shape, values: lower }, upper: { ...shape, values: upper } }
}
