/** Rows of a matrix that have an outlier in some column, by three rules for the limits. */
import { DomainError } from '../domain-error.ts'
import type { Matrix } from '../matrices/matrix.ts'
import { orderStatistics, quantilePlace, range } from './order-statistics.ts'

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

/** A value is an outlier when |value − centre − offset| > reach; centre + offset in one number would lose digits. */
export interface Fences {
  readonly centre: number
  readonly offset: number
  readonly reach: number
}

export const outlierMethods = ['zscore', 'iqr', 'mad'] as const
export type OutlierMethod = (typeof outlierMethods)[number]

/** The fences of a column at a threshold; undefined where they are beyond the range of double precision. */
export const outlierFences: Readonly<
  Record<OutlierMethod, (column: Float64Array, threshold: number) => Fences | undefined>
> = { zscore: deviationFences, iqr: quartileFences, mad: medianFences }

/** A distance that exceeds its limit only by the rounding of its computation is not an outlier. */
const ROUNDING = 1 + 1e-12
/** Sums of squares outside these bounds have overflowed, or have terms that underflowed. */
const SMALLEST_SQUARES = 1e-200
const LARGEST_SQUARES = 1e300
/** Spreads below it lose digits to underflow: the column is rescaled. */
const SMALLEST_SPREAD = 1e-290

/** `threshold` population standard deviations about the mean. */
function deviationFences(column: Float64Array, threshold: number): Fences | undefined {
  // Distances are taken from a value of the column, so that a constant column has exactly no spread.
  const centre = column[0] + sumOfDistances(column, column[0]) / column.length
  const offset = sumOfDistances(column, centre) / column.length
  const squares = sumOfSquares(column, centre)
  if (squares === 0 && column.every((value) => value === centre)) return { centre, offset: 0, reach: 0 }
  if (!(squares > SMALLEST_SQUARES && squares < LARGEST_SQUARES)) return undefined
  const deviation = Math.sqrt(squares / column.length - offset * offset)
  return { centre, offset, reach: threshold * deviation * ROUNDING }
}

/** `threshold` interquartile ranges beyond the quartiles (Tukey 1977, §2C). */
function quartileFences(column: Float64Array, threshold: number): Fences | undefined {
  const lower = quantilePlace(column.length, 0.25)
  const upper = quantilePlace(column.length, 0.75)
  const [a, b, c, d] = orderStatistics(column, [lower.below, lower.above, upper.below, upper.above])
  const first = lower.fraction * (b - a)
  const third = c - a + upper.fraction * (d - c)
  const reach = (threshold + 0.5) * (third - first) * ROUNDING
  if (d > a && d - a < SMALLEST_SPREAD) return undefined
  return finite({ centre: a, offset: first / 2 + third / 2, reach })
}

/**
 * 0.6745·|x − median|/MAD at most `threshold` (Iglewicz & Hoaglin 1993, §3.3); where the MAD is 0,
 * |x − median|/(1.253314·mean absolute deviation about the median).
 */
function medianFences(column: Float64Array, threshold: number): Fences | undefined {
  const [centre, offset] = median(column)
  const distances = new Float64Array(column.length)
  for (let i = 0; i < column.length; i++) distances[i] = Math.abs(column[i] - centre - offset)
  const [below, gap] = median(distances)
  const deviation = below + gap
  const unit = deviation > 0 ? deviation / 0.6745 : (1.253314 * sumOfDistances(distances, 0)) / column.length
  if (unit < SMALLEST_SPREAD && distances.some((distance) => distance > 0)) return undefined
  return finite({ centre, offset, reach: threshold * unit * ROUNDING })
}

/** The lower of the two middle values, and the distance of the median above it. */
function median(values: Float64Array): [number, number] {
  const { below, above, fraction } = quantilePlace(values.length, 0.5)
  const [low, high] = orderStatistics(values, [below, above])
  return [low, fraction * (high - low)]
}

function finite(fences: Fences): Fences | undefined {
  return Number.isFinite(fences.offset) && Number.isFinite(fences.reach) ? fences : undefined
}

/** Σ (value − centre), in four independent partial sums for instruction-level parallelism. */
function sumOfDistances(values: Float64Array, centre: number): number {
  let a = 0
  let b = 0
  let c = 0
  let d = 0
  const even = values.length & ~3
  for (let i = 0; i < even; i += 4) {
    a += values[i] - centre
    b += values[i + 1] - centre
    c += values[i + 2] - centre
    d += values[i + 3] - centre
  }
  for (let i = even; i < values.length; i++) a += values[i] - centre
  return a + b + (c + d)
}

/** Σ (value − centre)², also in four partial sums. */
function sumOfSquares(values: Float64Array, centre: number): number {
  let a = 0
  let b = 0
  const even = values.length & ~1
  for (let i = 0; i < even; i += 2) {
    const first = values[i] - centre
    const second = values[i + 1] - centre
    a += first * first
    b += second * second
  }
  if (even < values.length) a += (values[even] - centre) ** 2
  return a + b
}
