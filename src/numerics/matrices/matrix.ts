/** Matrices in one flat typed array, in row-major order; products, powers and inverses of square ones. */
import { spend } from '../budget.ts'
import { DomainError } from '../domain-error.ts'

/** values[row · columns + column] */
export interface Matrix {
  readonly values: Float64Array
  readonly rows: number
  readonly columns: number
}

/**
 * Flattens rows into a matrix. Refuses rows of unequal length.
 * @param name the parameter that a refusal names
 */
export function flatten(rows: readonly (readonly number[])[], name = 'rows'): Matrix {
  const columns = rows[0].length
  rows.forEach((row, index) => {
    if (row.length !== columns)
      throw new DomainError(`${name}.${index}`, `has ${row.length} columns but the first row has ${columns}`)
  })
  const values = new Float64Array(rows.length * columns)
  let cell = 0
  for (const row of rows) for (let column = 0; column < columns; column++) values[cell++] = row[column]
  return { values, rows: rows.length, columns }
}

/** The rows as arrays, for a reply. */
export function unflatten({ values, rows, columns }: Matrix): number[][] {
  return Array.from({ length: rows }, (_, row) =>
    Array.from({ length: columns }, (_, column) => values[row * columns + column]),
  )
}

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
function multiply({ rows: size, values: left }: Matrix, { values: right }: Matrix, target: Matrix): void {
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

/**
 * The power with `exponent` ≥ 1 of a square matrix with entries ≥ 0 and rows that sum to 1, by left-to-right binary
 * exponentiation (Knuth, TAOCP vol. 2, 4.6.3). There is no subtraction, so the error stays relative to each entry.
 *
 * Once the rows of a power agree, the chain has reached its stationary distribution. The rows of any higher power are
 * weighted means of these, so each entry lies between the smallest and the largest of its column, and the loop stops.
 * The relative error of an entry stays below the bound of plain powering, (rows + 4)(exponent + 1)·2⁻⁵³.
 */
export function stochasticPower(base: Matrix, exponent: number): Matrix {
  let power: Matrix = { ...base, values: base.values.slice() }
  let next: Matrix = { ...base, values: new Float64Array(base.values.length) }
  for (const bit of exponent.toString(2).slice(1)) {
    multiply(power, power, next)
    ;[power, next] = [next, power]
    if (rowsAgree(power)) break
    if (bit === '0') continue
    multiply(base, power, next)
    ;[power, next] = [next, power]
  }
  return power
}

/** Whether the rows differ by no more than the rounding of one product, `size` half units in the last place. */
function rowsAgree({ rows: size, values }: Matrix): boolean {
  for (let column = 0; column < size; column++) {
    let min = values[column]
    let max = min
    for (let row = 1; row < size; row++) {
      min = Math.min(min, values[row * size + column])
      max = Math.max(max, values[row * size + column])
    }
    if (max - min > size * 2 ** -53 * max) return false
  }
  return true
}

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
