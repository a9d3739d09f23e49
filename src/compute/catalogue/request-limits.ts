/** Refusals, before any long computation, of requests that hold too many numbers or need too much work. */
import { MAX_NUMBERS, MAX_WORK_MICROS } from '../../base/limits/callers.ts'
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

/** Refuses an estimate beyond the limit on a request. @param cause the fields that decide the work */
export function limitWork(micros: number, parameter: string, cause: string): void {
  if (!(micros <= MAX_WORK_MICROS))
    throw new DomainError(
      parameter,
      `take about ${Math.ceil(micros / 1e6)} s ${cause}; at most ${MAX_WORK_MICROS / 1e6} s are allowed: use fewer`,
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
