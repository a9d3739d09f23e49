/** Least squares of functions that are not linear, by the method of Levenberg and Marquardt. */

export interface Problem {
  readonly parameters: number
  readonly residuals: number
  /**
   * Fills in the residuals at a point, and their derivatives: a column for each parameter. False outside the domain.
   * The parameters are such that 1 is a large change of each.
   */
  evaluate(at: Float64Array, residuals: Float64Array, derivatives: readonly Float64Array[]): boolean
}

export interface Minimum {
  readonly at: Float64Array
  readonly residuals: Float64Array
  readonly sumOfSquares: number
  /** R of the QR decomposition of the derivatives, by columns: RᵀR is their matrix of products. */
  readonly triangle: readonly Float64Array[]
  /** Qᵀ times the residuals, as far as the derivatives span it. */
  readonly projected: Float64Array
  /** The largest change of a parameter by the step of Gauss and Newton from here. */
  readonly nextChange: number
  /** Whether damped steps from here are below the last step: also where the slopes jump, and the step of Gauss and Newton is larger. */
  readonly isSettled: boolean
  readonly steps: number
}

export interface SearchOptions {
  readonly mostSteps: number
  /** A step below this ends the search. Convergence is quadratic where the residuals vanish, and else fast. */
  readonly lastStep?: number
  /** So does a step that would lower the sum of squares of the line by less than this share; 0 if absent. */
  readonly lastGain?: number
  /** Tells at each step whether the point is of no interest. */
  readonly stops?: (at: Float64Array) => boolean
}

const LAST_STEP = 1e-10
const SUM_ROUNDING = 1e-11
const FIRST_DAMPING = 1e-3
/** With a larger damping, steps are shorter than any last step, or the domain ends. */
const MOST_DAMPING = 1e24

/**
 * A local minimum of the sum of squares, from a start in the domain; undefined where it is outside. Levenberg–Marquardt steps
 * by QR decomposition (Moré 1978), with the scale of each parameter by the norm of its column, and the damping of Nielsen (1999).
 */
export function leastSquares(
  problem: Problem,
  start: Float64Array,
  { mostSteps, lastStep = LAST_STEP, lastGain = 0, stops = () => false }: SearchOptions,
): Minimum | undefined {
  let point = pointAt(problem, start)
  if (point === undefined) return
  const scale = point.triangle.map(norm)
  let damping = FIRST_DAMPING
  let growth = 2
  let steps = 0
  let isSettled = false
  while (steps < mostSteps && damping < MOST_DAMPING && !stops(point.at)) {
    steps++
    for (let j = 0; j < scale.length; j++)
      scale[j] = Math.max(scale[j], norm(point.triangle[j]), Number.MIN_VALUE)
    const { change, predicted } = dampedStep(point, scale, damping)
    const next = pointAt(
      problem,
      point.at.map((value, j) => value + change[j]),
    )
    const gained = next === undefined ? -1 : point.sumOfSquares - next.sumOfSquares
    if (next !== undefined && isBetter(next, point)) {
      // A gain that is rounding says nothing about the line; the step is accepted for its slope.
      const share = isRounding(gained, point) ? 1 : Math.max(0, Math.min(gained / predicted, 1))
      point = next
      damping *= Math.max(1 / 3, 1 - (2 * share - 1) ** 3)
      growth = 2
    } else {
      damping *= growth
      growth *= 2
    }
    isSettled = largest(change) < lastStep
    if (isSettled || predicted < lastGain * point.sumOfSquares) break
  }
  const nextChange = largest(dampedStep(point, scale, 0).change)
  return { ...point, nextChange, isSettled, steps }
}

/** The distance of the points whose slopes give the second derivatives: errors of 1e-8 by the third ones, 1e-9 by rounding. */
const APART = 1e-4
/** The longest step of Newton in a parameter, and how often one that does not lower the sum of squares is damped. */
const [LONGEST, MOST_DAMPED] = [2, 6]

/**
 * A minimum from a point near it, by steps of Newton with second derivatives from differences of the slopes. They converge where
 * residuals stay large, and steps of Gauss and Newton would converge slowly or stop in a valley.
 */
export function newtonMinimum(
  problem: Problem,
  from: Minimum,
  { mostSteps, lastStep = LAST_STEP, lastGain = 0, stops = () => false }: SearchOptions,
): Minimum {
  let point: Point = from
  let steps = from.steps
  let isSettled = false
  for (let round = 0; round < mostSteps && !isSettled && !stops(point.at); round++) {
    const matrix = secondDerivatives(problem, point.at)
    if (matrix === undefined) break
    const before = point
    const diagonal = matrix.map((row, j) => Math.max(Math.abs(row[j]), norm(point.triangle[j]) ** 2))
    let damping = 0
    for (let tried = 0; tried < MOST_DAMPED; tried++, damping = Math.max(1e-2, 8 * damping)) {
      const change = newtonStep(matrix, slopeOf(point), diagonal, damping)
      if (change === undefined || !(largest(change) < LONGEST)) continue
      isSettled = largest(change) < lastStep
      steps++
      const next = pointAt(
        problem,
        point.at.map((value, j) => value + change[j]),
      )
      if (next !== undefined && isBetter(next, point)) {
        point = next
        break
      }
      if (isSettled) break
    }
    if (before === point || before.sumOfSquares - point.sumOfSquares < lastGain * point.sumOfSquares) break
  }
  const nextChange = largest(dampedStep(point, point.triangle.map(norm), 0).change)
  return { ...point, nextChange, isSettled: isSettled || from.isSettled, steps }
}

/** Half of the slope of the sum of squares: the derivatives times the residuals. */
const slopeOf = ({ projected, triangle }: Point): Float64Array =>
  Float64Array.from(triangle, (column) => column.reduce((sum, value, i) => sum + value * projected[i], 0))

/** Half of the second derivatives of the sum of squares; undefined where a point beside is outside the domain. */
function secondDerivatives(problem: Problem, at: Float64Array): Float64Array[] | undefined {
  const matrix = Array.from(at, () => new Float64Array(at.length))
  for (let j = 0; j < at.length; j++) {
    const [above, below] = [APART, -APART].map((distance) => pointAt(problem, at.with(j, at[j] + distance)))
    if (above === undefined || below === undefined) return
    const [up, down] = [slopeOf(above), slopeOf(below)]
    for (let i = 0; i < at.length; i++) {
      const half = (up[i] - down[i]) / (4 * APART)
      matrix[i][j] += half
      matrix[j][i] += half
    }
  }
  return matrix
}

/** −(matrix + damping·diagonal)⁻¹·slope by Cholesky's decomposition; undefined where the sum is not positive definite. */
function newtonStep(
  matrix: readonly Float64Array[],
  slope: Float64Array,
  diagonal: readonly number[],
  damping: number,
): Float64Array | undefined {
  const count = slope.length
  const lower = matrix.map(() => new Float64Array(count))
  const change = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i][j] + (i === j ? damping * diagonal[i] : 0)
      for (let k = 0; k < j; k++) sum -= lower[i][k] * lower[j][k]
      if (i === j && !(sum > 0)) return
      lower[i][j] = i === j ? Math.sqrt(sum) : sum / lower[j][j]
    }
    let right = -slope[i]
    for (let k = 0; k < i; k++) right -= lower[i][k] * change[k]
    change[i] = right / lower[i][i]
  }
  for (let i = count - 1; i >= 0; i--) {
    for (let k = i + 1; k < count; k++) change[i] -= lower[k][i] * change[k]
    change[i] /= lower[i][i]
  }
  return change
}

/** Where the sums of squares differ by rounding only, the slope decides. */
function isBetter(next: Point, point: Point): boolean {
  const gained = point.sumOfSquares - next.sumOfSquares
  return isRounding(gained, point) ? norm(next.projected) < norm(point.projected) : gained > 0
}

const isRounding = (gained: number, { sumOfSquares }: Point) =>
  Math.abs(gained) <= SUM_ROUNDING * sumOfSquares

type Point = Omit<Minimum, 'nextChange' | 'isSettled' | 'steps'>

function pointAt(problem: Problem, at: Float64Array): Point | undefined {
  const residuals = new Float64Array(problem.residuals)
  const columns = Array.from({ length: problem.parameters }, () => new Float64Array(problem.residuals))
  if (!problem.evaluate(at, residuals, columns)) return
  const sumOfSquares = norm(residuals) ** 2
  const projected = residuals.slice()
  triangulate(columns, projected)
  const triangle = columns.map((column) => column.slice(0, problem.parameters))
  if (!Number.isFinite(sumOfSquares) || !triangle.every((column) => column.every(Number.isFinite))) return
  return { at, residuals, sumOfSquares, triangle, projected: projected.slice(0, problem.parameters) }
}

/** The minimum of |R·change + projected|² + damping·|scale·change|², and by how much it lowers the sum of squares of the line. */
function dampedStep({ triangle, projected }: Point, scale: readonly number[], damping: number) {
  const count = scale.length
  const columns = triangle.map((column, j) => {
    const longer = new Float64Array(2 * count)
    longer.set(column)
    longer[count + j] = Math.sqrt(damping) * scale[j]
    return longer
  })
  const right = new Float64Array(2 * count)
  right.set(projected)
  triangulate(columns, right)
  const change = new Float64Array(count)
  for (let i = count - 1; i >= 0; i--) {
    let sum = -right[i]
    for (let j = i + 1; j < count; j++) sum -= columns[j][i] * change[j]
    change[i] = columns[i][i] === 0 ? 0 : sum / columns[i][i]
  }
  let predicted = 0
  for (let i = 0; i < count; i++) {
    let line = projected[i]
    for (let j = i; j < count; j++) line += triangle[j][i] * change[j]
    predicted += projected[i] ** 2 - line ** 2
  }
  return { change, predicted }
}

/** Householder's reflections: the columns become an upper triangle, and the right side is turned likewise. */
function triangulate(columns: readonly Float64Array[], right: Float64Array): void {
  const rows = right.length
  for (let k = 0; k < columns.length; k++) {
    const own = columns[k]
    let square = 0
    for (let i = k; i < rows; i++) square += own[i] * own[i]
    const size = Math.sqrt(square) * (own[k] > 0 ? -1 : 1)
    if (size === 0) continue
    const head = own[k] - size
    const scale = 1 / (size * head)
    for (const other of [...columns.slice(k + 1), right]) {
      let product = head * other[k]
      for (let i = k + 1; i < rows; i++) product += own[i] * other[i]
      product *= scale
      other[k] += product * head
      for (let i = k + 1; i < rows; i++) other[i] += product * own[i]
    }
    own[k] = size
    own.fill(0, k + 1)
  }
}

const largest = (values: Float64Array): number => Math.max(...values.map(Math.abs))

function norm(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value * value
  return Math.sqrt(sum)
}

/** The ratio of the largest to the least singular value of a square matrix, by one-sided rotations (Hestenes 1958). */
export function conditionNumber(columns: readonly Float64Array[]): number {
  const own = columns.map((column) => column.slice())
  for (let round = 0; round < 30; round++) {
    let isDone = true
    for (let i = 0; i < own.length; i++)
      for (let j = i + 1; j < own.length; j++) if (rotate(own[i], own[j])) isDone = false
    if (isDone) break
  }
  const sizes = own.map(norm)
  const least = Math.min(...sizes)
  return least > 0 ? Math.max(...sizes) / least : Number.POSITIVE_INFINITY
}

/** Makes two columns orthogonal; false where they are. */
function rotate(a: Float64Array, b: Float64Array): boolean {
  const product = a.reduce((sum, value, i) => sum + value * b[i], 0)
  if (Math.abs(product) <= 1e-15 * norm(a) * norm(b)) return false
  const zeta = (norm(b) ** 2 - norm(a) ** 2) / (2 * product)
  const t = (zeta < 0 ? -1 : 1) / (Math.abs(zeta) + Math.hypot(1, zeta))
  const c = 1 / Math.hypot(1, t)
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i], b[i]]
    a[i] = c * (x - t * y)
    b[i] = c * (y + t * x)
  }
  return true
}

/** The lengths of the rows of R⁻¹: standard errors of the parameters, in units of that of a residual. */
export function rowsOfInverse(triangle: readonly Float64Array[]): Float64Array {
  const count = triangle.length
  const squares = new Float64Array(count)
  for (let column = 0; column < count; column++) {
    const x = new Float64Array(count)
    for (let i = column; i >= 0; i--) {
      let sum = i === column ? 1 : 0
      for (let j = i + 1; j <= column; j++) sum -= triangle[j][i] * x[j]
      x[i] = sum / triangle[i][i]
      squares[i] += x[i] * x[i]
    }
  }
  return squares.map(Math.sqrt)
}
