/** Products of square matrices. */
import { spend } from '../budget.ts'
import type { Matrix } from './matrix.ts'

/** The product of two square matrices of one size. */
export function product(left: Matrix, right: Matrix): Matrix {
  spend(productMicros(left.rows))
  const target = { ...left, values: new Float64Array(left.values.length) }
  multiply(left, right, target)
  return target
}

/** The time of a product of this size, in microseconds. */
export const productMicros = (size: number): number => 1 + 0.006 * size ** 2 + 0.0006 * size ** 3

/**
 * Writes left · right into target, which must be another matrix. Eight entries, of two rows and four columns, are summed at a time,
 * so that a loaded number serves several; each is summed over the inner index in ascending order, and is bit for bit that of three
 * plain loops. Where a tile reaches over an edge, it repeats the last row or column.
 */
export function multiply(
  { rows: size, values: left }: Matrix,
  { values: right }: Matrix,
  target: Matrix,
): void {
  const { values } = target
  const end = size - 1
  for (let column = 0; column < size; column += 4) {
    const c1 = Math.min(column + 1, end)
    const c2 = Math.min(column + 2, end)
    const c3 = Math.min(column + 3, end)
    for (let row = 0; row < size; row += 2) {
      const upper = row * size
      const lower = Math.min(row + 1, end) * size
      let a0 = 0
      let a1 = 0
      let a2 = 0
      let a3 = 0
      let b0 = 0
      let b1 = 0
      let b2 = 0
      let b3 = 0
      for (let inner = 0, at = 0; inner < size; inner++, at += size) {
        const a = left[upper + inner]
        const b = left[lower + inner]
        const r0 = right[at + column]
        const r1 = right[at + c1]
        const r2 = right[at + c2]
        const r3 = right[at + c3]
        a0 += a * r0
        a1 += a * r1
        a2 += a * r2
        a3 += a * r3
        b0 += b * r0
        b1 += b * r1
        b2 += b * r2
        b3 += b * r3
      }
      values[upper + column] = a0
      values[upper + c1] = a1
      values[upper + c2] = a2
      values[upper + c3] = a3
      values[lower + column] = b0
      values[lower + c1] = b1
      values[lower + c2] = b2
      values[lower + c3] = b3
    }
  }
}
