/** Powers of square matrices. */
import type { Matrix } from './matrix.ts'

/**
 * The matrix multiplied by itself `exponent` times (at least 1), by repeated squaring (Knuth, TAOCP vol. 2, 4.6.3).
 * For entries ≥ 0 the error stays relative to each entry: nothing is ever subtracted.
 */
export function power(base: Matrix, exponent: number): Matrix {
  const size = base.rows
  let square = base.values
  let result: Float64Array | undefined
  for (let left = exponent; ; left = Math.floor(left / 2)) {
    if (left % 2 === 1) result = result === undefined ? square : multiply(result, square, size)
    if (left <= 1) break
    square = multiply(square, square, size)
  }
  return { ...base, values: Float64Array.from(result as Float64Array) }
}

/** Product of two square matrices, each `size`² numbers in row order. */
export function multiply(left: Float64Array, right: Float64Array, size: number): Float64Array {
  const product = new Float64Array(size * size)
  for (let row = 0; row < size; row++) {
    for (let inner = 0; inner < size; inner++) {
      const factor = left[row * size + inner]
      for (let column = 0; column < size; column++)
        product[row * size + column] += factor * right[inner * size + column]
    }
  }
  return product
}
