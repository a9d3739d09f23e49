/** Rows of a matrix that have an outlier in some column. */
import { DomainError } from '../domain-error.ts'
import type { Matrix } from '../matrices/matrix.ts'
import { range } from './order-statistics.ts'
import { type Fences, type OutlierMethod, outlierFences } from './outlier-fences.ts'

/** For a column whose fences overflow even after rescaling: the threshold is beyond every number. */
const NO_FENCES: Fences = { centre: 0, offset: 0, reach: Infinity }

/**
 * 1 for each row with a value beyond the fences of its column, 0 for the others.
 * @param threshold greater than 0
 */
export function outliers(matrix: Matrix, method: OutlierMethod, threshold: number): Uint8Array {
  if (!(threshold > 0)) throw new DomainError('threshold', 'must be greater than 0')
  const { values, rows, columns } = matrix
  const flags = new Uint8Array(rows)
  const column = new Float64Array(rows)
  // The two loops stay here: inlined from functions of their own, V8 optimises them only in part.
  for (let index = 0; index < columns; index++) {
    for (let row = 0, cell = index; row < rows; row++, cell += columns) column[row] = values[cell]
    const { centre, offset, reach } = fencesOf(column, method, threshold)
    for (let row = 0; row < rows; row++) if (Math.abs(column[row] - centre - offset) > reach) flags[row] = 1
  }
  return flags
}

/** The fences of a column, which is rescaled in place where they are beyond the range of double precision. */
function fencesOf(column: Float64Array, method: OutlierMethod, threshold: number): Fences {
  const plain = outlierFences[method](column, threshold)
  if (plain !== undefined) return plain
  rescale(column)
  return outlierFences[method](column, threshold) ?? NO_FENCES
}

/** Scales the range of a column to about 1 by a power of two, so that its squares and sums neither over- nor underflow. */
function rescale(column: Float64Array): void {
  const { min, max } = range(column)
  const exponent = max - min === Infinity ? -600 : Math.min(1_000, -Math.floor(Math.log2(max - min)))
  const scale = 2 ** exponent
  for (let i = 0; i < column.length; i++) column[i] *= scale
}
