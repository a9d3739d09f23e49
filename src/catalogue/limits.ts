/** The limits on how much one request may hold, checked before any heavy work. */
import { DomainError } from '../numerics/domain-error.ts'
import { flatten, type Matrix } from '../numerics/matrices/matrix.ts'
import { MAX_NUMBERS } from './schema.ts'

/** Refuses more numbers than one request may hold. */
export function limitNumbers(count: number, parameter: string): void {
  if (count > MAX_NUMBERS)
    throw new DomainError(
      parameter,
      `makes ${count} numbers in one request; at most ${MAX_NUMBERS} are taken: send parts of it`,
    )
}

/** A request's rows as a matrix. Refuses too many numbers, and rows of unequal length. */
export function limitedMatrix(rows: readonly (readonly number[])[], parameter: string): Matrix {
  limitNumbers(
    rows.reduce((count, row) => count + row.length, 0),
    parameter,
  )
  return flatten(rows, parameter)
}
