/** Rating migration: transition probabilities from counts, and their projection over several periods. */
import { compensatedSum } from '../arithmetic/double-double.ts'
import { DomainError } from '../domain-error.ts'
import { type Matrix, stochasticPower } from './matrix.ts'

export interface Migration {
  /** Probability of moving from the row's rating to the column's in one period. */
  readonly transition: Matrix
  /** The same over all the periods. */
  readonly multiPeriod: Matrix
}

/**
 * Cohort estimate p_ij = n_ij / Σ_k n_ik (Jarrow, Lando & Turnbull 1997) and its power over a time-homogeneous Markov
 * chain. A rating without counts is absorbing. The error is relative to each entry, however small.
 * @param counts square, n ratings × n ratings, each at least 0
 * @param periods integer of at least 1
 */
export function migration(counts: Matrix, periods: number): Migration {
  if (counts.rows !== counts.columns)
    throw new DomainError(
      'counts',
      `must be square, but has ${counts.rows} rows and ${counts.columns} columns`,
    )
  const transition = { ...counts, values: new Float64Array(counts.values.length) }
  for (let row = 0; row < counts.rows; row++) normaliseRow(counts, transition.values, row)
  if (periods === 1) return { transition, multiPeriod: transition }
  const multiPeriod = stochasticPower(transition, periods)
  // Rounding makes the row sums of a long projection drift by about periods · 1e-16.
  for (let row = 0; row < counts.rows; row++) normaliseRow(multiPeriod, multiPeriod.values, row)
  return { transition, multiPeriod }
}

/** Divides one row by its sum into the same row of `target`; an empty row becomes absorbing. */
function normaliseRow({ values, columns }: Matrix, target: Float64Array, row: number): void {
  const start = row * columns
  const total = (scale: number) => compensatedSum(columns, (column) => values[start + column] * scale)
  const plain = total(1)
  if (plain === 0) {
    target[start + row] = 1
    return
  }
  // Counts near the largest double are scaled by a power of two, which is exact.
  const scale = Number.isFinite(plain) ? 1 : 2 ** -16
  const sum = scale === 1 ? plain : total(scale)
  for (let cell = start; cell < start + columns; cell++) target[cell] = (values[cell] * scale) / sum
}
