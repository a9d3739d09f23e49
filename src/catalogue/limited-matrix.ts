/** A matrix or vectors of a request, refused before any long computation if they hold too many numbers. */
import { MAX_NUMBERS } from '../limits.ts'
import { DomainError } from '../numerics/domain-error.ts'
import { flatten, type Matrix } from '../numerics/matrices/matrix.ts'

/** Refuses more numbers than one request may hold. */
export function limitNumbers(count: number, parameter: string): void {
  if (count > MAX_NUMBERS)
    throw new DomainError(
      parameter,
      `The request holds ${count} numbers; at most ${MAX_NUMBERS} are allowed: send it in parts`,
      { isSentence: true },
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
