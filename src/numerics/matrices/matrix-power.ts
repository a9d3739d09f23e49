/** Powers of the transition matrices of Markov chains. */
import type { Matrix } from './matrix.ts'
import { load, type Slot, unload, workbench } from './matrix-workbench.ts'

/**
 * The `exponent`-th power, at least the first, of a square matrix with entries ≥ 0 and rows that sum to 1, from the
 * exponent's leading bit on: squared for every further bit, and multiplied by the base where the bit is set (Knuth, TAOCP
 * vol. 2, 4.6.3). So what is multiplied in is the base, whose zeros cost nothing, while its higher powers have none.
 * Nothing is ever subtracted, so the error stays relative to each entry.
 *
 * Once a power has rows all alike the chain has forgotten where it began. The rows of any higher power are weighted
 * means of these, so each of its entries lies between the smallest and the largest of its column, and we stop there.
 * The error of an entry stays below the bound of plain powering, (rows + 4)(exponent + 1)·2⁻⁵³ of the entry.
 */
export function stochasticPower(base: Matrix, exponent: number): Matrix {
  const { side, slots, multiply } = workbench(base.rows, 3)
  const [once] = slots
  let [, power, next] = slots
  load(base, once, side)
  power.values.set(once.values)
  for (const bit of exponent.toString(2).slice(1)) {
    multiply(power, power, next)
    ;[power, next] = [next, power]
    if (rowsAgree(power, side, base.rows)) break
    if (bit === '0') continue
    multiply(once, power, next)
    ;[power, next] = [next, power]
  }
  return unload(power, side, base.rows)
}

/** Whether the rows are alike but for the rounding of one product, `size` half units in the last place. */
function rowsAgree({ values }: Slot, side: number, size: number): boolean {
  for (let column = 0; column < size; column++) {
    let min = values[column]
    let max = min
    for (let row = 1; row < size; row++) {
      min = Math.min(min, values[row * side + column])
      max = Math.max(max, values[row * side + column])
    }
    if (max - min > size * 2 ** -53 * max) return false
  }
  return true
}
