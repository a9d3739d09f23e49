/** A matrix or vectors of a request, refused before any long computation if they hold too many numbers. */
import { MAX_NUMBERS } from '../../base/limits/callers.ts'
import { DomainError } from '../../numerics/domain-error.ts'
import { flatten, type Matrix } from '../../numerics/matrices/matrix.ts'

/** Refuses more numbers than one request may hold. */
export function limitNumbers(count: number, parameter: string): void {
  if (count > MAX_NUMBERS)
    throw new DomainError(
      parameter,
      `The request holds ${count} numbers; at most ${MAX_NUMBERS} are allowed: send it in parts`,
      { isSentence: true },
    )
}

/** The rows of a request's field X as a matrix. Refuses too many numbers, and rows of unequal length. */
export function limitedMatrix(X: readonly (readonly number[])[]): Matrix {
  limitNumbers(
    X.reduce((count, row) => count + row.length, 0),
    'X',
  )
  return flatten(X, 'X')
}
