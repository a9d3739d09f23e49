/** Inverses of small dense matrices. */
import { spend } from '../budget.ts'
import type { Matrix } from './matrix.ts'

/**
 * Gauss–Jordan elimination with partial pivoting (Higham 2002, ch. 14). Undefined where a pivot is 0 or a result is not
 * finite.
 */
export function inverse({ values, rows: size }: Matrix): Matrix | undefined {
  spend(inverseMicros(size))
  const left = values.slice()
  const right = identity(size).values
  for (let column = 0; column < size; column++) {
    let pivot = column
    for (let row = column + 1; row < size; row++)
      if (Math.abs(left[row * size + column]) > Math.abs(left[pivot * size + column])) pivot = row
    const divisor = left[pivot * size + column]
    if (!(Math.abs(divisor) > 0 && Number.isFinite(divisor))) return undefined
    for (const side of [left, right]) {
      if (pivot !== column) swapRows(side, size, pivot, column)
      for (let cell = column * size; cell < (column + 1) * size; cell++) side[cell] /= divisor
    }
    for (let row = 0; row < size; row++) {
      const factor = left[row * size + column]
      if (row === column || factor === 0) continue
      for (let k = 0; k < size; k++) right[row * size + k] -= factor * right[column * size + k]
      for (let k = column; k < size; k++) left[row * size + k] -= factor * left[column * size + k]
    }
  }
  return { values: right, rows: size, columns: size }
}

/** The time of an inverse of this size, in microseconds. */
export const inverseMicros = (size: number): number => 1 + 0.002 * size ** 3

export function identity(size: number): Matrix {
  const values = new Float64Array(size * size)
  for (let i = 0; i < size; i++) values[i * size + i] = 1
  return { values, rows: size, columns: size }
}

function swapRows(values: Float64Array, size: number, one: number, other: number): void {
  const kept = values.slice(one * size, (one + 1) * size)
  values.copyWithin(one * size, other * size, (other + 1) * size)
  values.set(kept, other * size)
}
