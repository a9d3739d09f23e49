/** The exercise boundary of an American put, by Newton's method on its equations at Chebyshev points. */
import { solveLinearSystem } from '../../matrices/linear-system.ts'
import { type Collocation, collocation, interpolated } from './collocation.ts'
import { type BoundaryProblem, writeEquations } from './exercise-equations.ts'

export interface Boundary extends BoundaryProblem {
  readonly scheme: Collocation
  /** ln(boundary/limit)² at the nodes. */
  readonly squares: Float64Array
}

const MOST_STEPS = 20
/** Newton's method ends at a smaller step, in shares of the largest square: the error is then about the square of that. */
const TOLERANCE = 1e-7
/** A step changes a height by at most this factor. */
const MOST_CHANGE = 3

/** Shares of the guessed heights to start from, one after the other. */
const STARTS = [1, 0.4, 0.15, 2.5]
/** A solution of this size is where larger ones start. */
const COARSE = 16
/** The first of its nodes at which its polynomial is precise. */
const FIRST_PRECISE = 1
/** Further nodes of a fine boundary. */
const FINER = 16
/** Quadrature points to a node. */
const QUADRATURE_RATIO = 1.3

/** Undefined where Newton's method does not converge, as it cannot where there is no such boundary. */
export function solveBoundary(problem: BoundaryProblem): Boundary | undefined {
  const { size: least, stretch } = sizeFor(problem)
  const size = problem.isFine ? least + FINER : least
  const coarse = solveWith(problem, COARSE, stretch)
  if (coarse === undefined || size === COARSE) return coarse
  return solveWith(problem, size, stretch, coarse) ?? solveWith(problem, size, stretch)
}

function solveWith(
  problem: BoundaryProblem,
  size: number,
  stretch: number | undefined,
  coarse?: Boundary,
): Boundary | undefined {
  const scheme = collocation(size, Math.round(QUADRATURE_RATIO * size), stretch)
  const guesses = scheme.times.map((time) => guessedHeight(problem, time * problem.horizon))
  // With a negative rate there need not be a boundary.
  for (const share of problem.rate < 0 || coarse ? [1] : STARTS) {
    const heights = coarse ? refinedHeights(coarse, scheme, guesses) : guesses.map((guess) => share * guess)
    if (solveFrom(problem, scheme, heights))
      return { ...problem, scheme, squares: heights.map((height) => height * height) }
  }
  return undefined
}

/** The polynomial of a coarse solution; before its first nodes, where it is not precise, the guess in its proportion. */
function refinedHeights(coarse: Boundary, scheme: Collocation, guesses: Float64Array): Float64Array {
  const first = coarse.scheme.times[FIRST_PRECISE]
  const known = Math.sqrt(coarse.squares[FIRST_PRECISE])
  const proportion = known / guessedHeight(coarse, first * coarse.horizon)
  return scheme.times.map((time, i) =>
    time > first
      ? Math.sqrt(Math.abs(interpolated(coarse.scheme, coarse.squares, time)))
      : proportion * guesses[i],
  )
}

/** Overwrites the heights by the solution, and tells whether there is one. */
function solveFrom(problem: BoundaryProblem, scheme: Collocation, heights: Float64Array): boolean {
  const steps = new Float64Array(scheme.size)
  const jacobian = new Float64Array(scheme.size ** 2)
  for (let count = 0; count < MOST_STEPS; count++) {
    writeEquations(problem, scheme, heights, steps, jacobian)
    solveLinearSystem(jacobian, steps)
    const change = moved(heights, steps)
    if (change <= TOLERANCE) return true
    if (Number.isNaN(change)) return false
  }
  return false
}

/** About the microseconds that it takes. */
export const boundaryMicros = (problem: BoundaryProblem): number => 80 + 0.02 * sizeFor(problem).size ** 3

/** ln of the boundary at a time to maturity up to the horizon. */
export function logBoundary({ limit, side, horizon, scheme, squares }: Boundary, time: number): number {
  return Math.log(limit) - side * Math.sqrt(Math.abs(interpolated(scheme, squares, time / horizon)))
}

/** How many times the standard deviation the log price drifts, squared, with the discount: how fast the boundary settles. */
export function stiffness({ rate, dividendYield, horizon }: BoundaryProblem): number {
  return (0.5 * (rate - dividendYield - 0.5) ** 2 + Math.abs(rate)) * horizon
}

/** Moves the heights by Newton's step, and returns the largest change of a square over the largest square. */
function moved(heights: Float64Array, steps: Float64Array): number {
  let change = 0
  let largest = 0
  for (let i = 0; i < heights.length; i++) {
    const before = heights[i]
    const next = Math.min(Math.max(before - steps[i], before / MOST_CHANGE), before * MOST_CHANGE)
    heights[i] = next
    largest = Math.max(largest, next * next)
    change = Math.max(change, Math.abs(next * next - before * before))
  }
  return change / largest
}

/**
 * Sizes that keep the error of the put below 1e-11 of it (`test/numerics/options/american` compares with larger ones). An upper
 * boundary that begins below the strike behaves at later times as one that begins there: the passage from one to the other, at
 * deviations that are as large as the distance of that limit from the strike, needs the most points.
 */
function sizeFor(problem: BoundaryProblem): { size: number; stretch: number | undefined } {
  const stiff = stiffness(problem)
  const distance = -Math.log(problem.limit) / Math.sqrt(problem.horizon)
  const size = stiff < 0.2 ? 16 : stiff < 1 ? 20 : stiff < 6 ? 24 : stiff < 20 ? 32 : 40
  if (problem.side < 0) return { size: Math.max(size, 24), stretch: 0 }
  if (distance < 0.003) return { size, stretch: undefined }
  const inPassage = stiff < 0.1 ? 32 : stiff < 5 ? 40 : stiff < 20 ? 52 : 64
  const least = distance < 1.2 ? inPassage : distance < 2.2 ? 24 : 16
  return { size: Math.max(size, least), stretch: Math.round(2 * Math.asinh(4 / distance)) / 2 }
}

/**
 * A first height: near expiry that of Evans, Kuske & Keller (2002, section 1), later bounded by the boundary of the perpetual put.
 */
function guessedHeight(problem: BoundaryProblem, time: number): number {
  const { rate: r, dividendYield: q, limit, side } = problem
  const atRoot = 0.6388 * Math.sqrt(time)
  if (side < 0) return atRoot
  const isClose = Math.abs(r - q) < 0.1 * Math.abs(r)
  const inverse = isClose ? 4 * Math.sqrt(Math.PI) * Math.abs(q) * time : 8 * Math.PI * time * (r - q) ** 2
  const logarithm = Math.log(Math.E + 1 / inverse)
  const near =
    Math.max(atRoot, Math.sqrt((isClose ? 2 : 1) * time * logarithm) + Math.log(limit)) + 0.5 * time
  const carry = r - q - 0.5
  const power = carry + Math.sqrt(carry * carry + 2 * r)
  // The perpetual boundary is power/(1 + power).
  const most = r > 0 ? Math.log(limit) + Math.log1p(1 / power) : Number.POSITIVE_INFINITY
  return most > 0 && most < Number.POSITIVE_INFINITY ? most * -Math.expm1(-near / most) : near
}
