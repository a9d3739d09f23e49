/** Generators of rating migrations in continuous time. */
import { compensatedSum } from '../arithmetic/compensated-sum.ts'
import { DomainError } from '../domain-error.ts'
import type { Matrix } from './matrix.ts'
import { logarithm } from './matrix-logarithm.ts'
import { migration } from './migration.ts'

export const generatorMethods = ['logarithm', 'duration'] as const

export interface MigrationGenerator {
  /** Rates per year; each row sums to 0, and that of the last rating is 0. */
  readonly generator: Matrix
  /** Whether the principal logarithm of the cohort matrix is a generator. */
  readonly isEmbeddable: boolean
  /** The ratings from which transitions lead to default, but no rates of the generator. */
  readonly lostDefaults: readonly number[]
}

/** Rates of the logarithm that are smaller, in units of the largest rate, count as 0. */
const ROUNDING = 1e-12

/** The form in which moves between ratings were observed. */
export interface MigrationData {
  /** Square, each at least 0; the last rating is default and has no transitions to others. */
  readonly counts: Matrix
  /** Years that were spent in each rating; empty for the logarithm. */
  readonly exposures: readonly number[]
  readonly method: (typeof generatorMethods)[number]
}

/**
 * The generator by the method of cohorts in discrete time, as the regularised logarithm of the matrix of transition
 * probabilities (Israel, Rosenthal & Wei 2001; each row is the nearest one of a generator, the quasi-optimisation
 * of Kreinin & Sidelnikova 2001), or by that of durations: transitions per year in the rating (Lando & Skødeberg 2002).
 */
export function migrationGenerator(data: MigrationData): MigrationGenerator {
  const { counts, exposures, method } = data
  const size = counts.rows
  const cohort = generatorOfCohorts(counts)
  for (let column = 0; column < size - 1; column++)
    if (counts.values[(size - 1) * size + column] > 0)
      throw new DomainError(
        `counts.${size - 1}.${column}`,
        'must be 0: the last rating is default, and absorbing',
      )
  if (method === 'duration')
    return {
      generator: byDuration(counts, exposures),
      isEmbeddable: cohort?.isEmbeddable ?? false,
      lostDefaults: [],
    }
  if (exposures.length > 0) throw new DomainError('exposures', 'are used by the method duration only')
  if (cohort === undefined)
    throw new DomainError(
      'counts',
      'give probabilities without a real principal logarithm: an eigenvalue is 0, negative or too near to it; use the method duration',
    )
  return cohort
}

/** Undefined where the method is the logarithm, and there is none. */
export function generatorOf({ counts, exposures, method }: MigrationData): Matrix | undefined {
  return method === 'duration' ? byDuration(counts, exposures) : generatorOfCohorts(counts)?.generator
}

function byDuration(counts: Matrix, exposures: readonly number[]): Matrix {
  const { values, rows: size } = counts
  if (exposures.length !== size)
    throw new DomainError('exposures', `must have a value for each of the ${size} ratings of {counts}`)
  const rates = new Float64Array(values.length)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const count = values[row * size + column]
      if (row === column || count === 0) continue
      const rate = count / exposures[row]
      if (!Number.isFinite(rate))
        throw new DomainError(`exposures.${row}`, 'must be larger: the rating was left')
      rates[row * size + column] = rate
    }
  return closed({ ...counts, values: rates })
}

/** Undefined without a principal logarithm. */
function generatorOfCohorts(counts: Matrix): MigrationGenerator | undefined {
  const cohort = migration(counts, 1).transition
  const size = cohort.rows
  const logarithms = logarithm(cohort)
  if (logarithms === undefined) return undefined
  const { values } = logarithms
  const reached = reachable(cohort)
  let isEmbeddable = true
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const cell = row * size + column
      // The logarithm is a series of powers, which are 0 there.
      if (reached[cell] === 0) values[cell] = 0
      if (row === column || reached[cell] === 0) continue
      // exp(Q·t) is positive wherever a path of Q leads (Israel, Rosenthal & Wei 2001).
      if (cohort.values[cell] === 0 || values[cell] < -ROUNDING * largest) isEmbeddable = false
    }
  for (let row = 0; row < size; row++) project(values.subarray(row * size, (row + 1) * size), row)
  const generator = closed(logarithms)
  const kept = reachable(generator)
  const toDefault = Array.from({ length: size }, (_, row) => row * size + size - 1)
  const lostDefaults = [...toDefault.keys()].filter((row) => reached[toDefault[row]] > kept[toDefault[row]])
  return { generator, isEmbeddable, lostDefaults }
}

/**
 * Replaces a row by the nearest one whose sum is 0 and whose rates to others are not negative: of the diagonal and of each rate
 * that stays positive the same number is subtracted.
 */
function project(row: Float64Array, own: number): void {
  const others = row
    .filter((_, column) => column !== own)
    .sort()
    .reverse()
  let total = row[own]
  let kept = 1
  for (const rate of others) {
    if (rate <= (total + rate) / (kept + 1) || rate <= 0) break
    total += rate
    kept++
  }
  const shift = total / kept
  for (let column = 0; column < row.length; column++)
    if (column !== own) row[column] = row[column] === 0 ? 0 : Math.max(0, row[column] - shift)
}

/** The generator whose diagonal makes each row sum to 0; the row of the last rating is 0. */
function closed({ values, rows: size }: Matrix): Matrix {
  for (let row = 0; row < size; row++) {
    const entries = values.subarray(row * size, (row + 1) * size)
    if (row === size - 1) entries.fill(0)
    entries[row] = 0
    const sum = compensatedSum(size, (column) => entries[column])
    if (!Number.isFinite(sum)) throw new DomainError('counts', 'give rates beyond the range of numbers')
    entries[row] = sum === 0 ? 0 : -sum
  }
  return { values, rows: size, columns: size }
}

/** 1 where a path of transitions leads from the row's rating to the column's (Warshall 1962). */
function reachable({ values, rows: size }: Matrix): Uint8Array {
  const reached = Uint8Array.from(values, (value) => (value > 0 ? 1 : 0))
  for (let i = 0; i < size; i++) reached[i * size + i] = 1
  for (let via = 0; via < size; via++)
    for (let row = 0; row < size; row++) {
      if (reached[row * size + via] === 0) continue
      for (let column = 0; column < size; column++)
        reached[row * size + column] |= reached[via * size + column]
    }
  return reached
}
