/** Generators of rating migrations in continuous time, by the principal logarithm of the transition probabilities. */
import { compensatedSum } from '../arithmetic/double-double.ts'
import { gaussLegendre } from '../arithmetic/gauss-legendre.ts'
import { DomainError } from '../domain-error.ts'
import { identity, inverse, type Matrix, product } from './matrix.ts'
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

const { nodes, weights } = gaussLegendre(8)
/** Norm up to which eight points give the logarithm of 1 + x to 2⁻⁵³ (Higham 2008, ch. 11). */
const REACH = 0.34
const MOST_ROOTS = 60
/** An eigenvalue of 1e-30 takes fifty steps; a negative one never converges. */
const MOST_STEPS = 80
/** Largest accepted difference between an entry of the matrix and of the power of its root. */
const LARGEST_RESIDUAL = 1e-9

/**
 * The logarithm of a matrix whose rows, like those of its roots, sum to 1. Inverse scaling and squaring (Kenney & Laub 1989):
 * square roots until the matrix is near to the identity, then the partial fractions of a Padé approximant. Undefined where the
 * matrix has an eigenvalue that is 0 or negative, or so near to one that its roots have no nine digits.
 */
export function logarithm(matrix: Matrix): Matrix | undefined {
  const { rows: size } = matrix
  let root = matrix
  let roots = 0
  for (; !(distance(root) <= REACH); roots++) {
    const next = roots < MOST_ROOTS ? squareRoot(root) : undefined
    if (next === undefined) return undefined
    root = next
  }
  let power = root
  for (let k = 0; k < roots; k++) power = product(power, power)
  if (!power.values.every((value, i) => Math.abs(value - matrix.values[i]) <= LARGEST_RESIDUAL))
    return undefined
  const offset = lessIdentity(root)
  let sum = combination(offset, 0, offset, 0)
  for (const [i, node] of nodes.entries()) {
    const part = inverse(combination(identity(size), 1, offset, node))
    if (part === undefined) return undefined
    sum = combination(sum, 1, part, weights[i])
  }
  const scaled = product(offset, sum)
  for (let cell = 0; cell < scaled.values.length; cell++) scaled.values[cell] *= 2 ** roots
  return scaled
}

/**
 * The product form of the iteration of Denman & Beavers (Cheng, Higham, Kenney & Laub 2001), unscaled. Undefined where
 * it does not converge.
 */
function squareRoot(matrix: Matrix): Matrix | undefined {
  const unit = identity(matrix.rows)
  let root = matrix
  let rest = matrix
  const tolerance = 4 * matrix.rows * 2 ** -53
  for (let step = 0; step < MOST_STEPS; step++) {
    const inverted = inverse(rest)
    if (inverted === undefined) return undefined
    root = product(root, combination(unit, 0.5, inverted, 0.5))
    rest = combination(unit, 0.5, combination(rest, 0.25, inverted, 0.25), 1)
    if (distance(rest) <= tolerance) return root
  }
  return undefined
}

function combination(one: Matrix, a: number, other: Matrix, b: number): Matrix {
  return { ...one, values: one.values.map((value, i) => a * value + b * other.values[i]) }
}

/** The diagonal from the rest of each row, so that small rates of leaving keep all digits. */
function lessIdentity({ values, rows: size, columns }: Matrix): Matrix {
  const offset = values.slice()
  for (let row = 0; row < size; row++) {
    const entries = offset.subarray(row * size, (row + 1) * size)
    entries[row] = 0
    entries[row] = -entries.reduce((sum, value) => sum + value, 0)
  }
  return { values: offset, rows: size, columns }
}

/** The largest row sum of |matrix − identity|; NaN where an entry is not finite. */
function distance({ values, rows: size }: Matrix): number {
  let most = 0
  for (let row = 0; row < size; row++) {
    let sum = 0
    for (let column = 0; column < size; column++)
      sum += Math.abs(values[row * size + column] - (row === column ? 1 : 0))
    if (!(sum <= most)) most = sum
  }
  return most
}
