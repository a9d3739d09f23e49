/** Powers of the transition matrices of Markov chains. */
import type { Matrix } from './matrix.ts'
import { multiply } from './matrix-product.ts'

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
