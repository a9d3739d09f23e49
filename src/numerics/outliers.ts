/** Rows of a matrix that lie far out in some column. */
import { DomainError } from './domain-error.ts'
import type { Matrix } from './matrix.ts'
import { range } from './order-statistics.ts'
import { type Fences, type OutlierMethod, outlierFences } from './outlier-fences.ts'

/**
 * 1 for each row with a value beyond the fences of its column, 0 for the others.
 * @param threshold greater than 0
 */
export function outliers(matrix: Matrix, method: OutlierMethod, threshold: number): Uint8Array {
  if (!(threshold > 0)) throw new DomainError('threshold', 'must be greater than 0')
  const flags = new Uint8Array(matrix.rows)
  const column = new Float64Array(matrix.rows)
  for (let index = 0; index < matrix.columns; index++) {
    copyColumn(matrix, index, column)
    const fences = outlierFences[method]
    let found = fences(column, threshold)
    if (found === undefined) {
      rescale(column)
      found = fences(column, threshold)
    }
    if (found !== undefined) flagBeyond(column, found, flags)
  }
  return flags
}

function copyColumn({ values, columns }: Matrix, index: number, column: Float64Array): void {
  for (let row = 0, cell = index; row < column.length; row++, cell += columns) column[row] = values[cell]
}

/** Brings the range of a column near 1 by a power of two, so that neither its squares nor its sums leave float64. */
function rescale(column: Float64Array): void {
  const { min, max } = range(column)
  const exponent = max - min === Infinity ? -600 : Math.min(1_000, -Math.floor(Math.log2(max - min)))
  const scale = 2 ** exponent
  for (let i = 0; i < column.length; i++) column[i] *= scale
}

function flagBeyond(column: Float64Array, { centre, offset, reach }: Fences, flags: Uint8Array): void {
  for (let i = 0; i < column.length; i++) if (Math.abs(column[i] - centre - offset) > reach) flags[i] = 1
}
