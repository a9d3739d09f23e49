/** The exercise boundary of an American put, by Newton's method on its equations at Chebyshev points. */
import { factorise, solveFactorised } from '../../matrices/linear-system.ts'
import { type Collocation, collocation, interpolated } from './collocation.ts'
import { equationsFor } from './equations-memory.ts'
import { writeEquations } from './exercise-equations.ts'
import { perpetualPower } from './perpetual-put.ts'
import type { BoundaryProblem, ScaledPut } from './scaled-put.ts'

export interface Boundary extends BoundaryProblem {
  readonly scheme: Collocation
  /** ln(boundary/limit)² at the nodes. */
  readonly squares: Float64Array
}

const MOST_STEPS = 20
/** Newton's method ends at a smaller error, in shares of the largest square. */
const TOLERANCE = 2e-12
/** For a solution from which a larger one starts. */
const COARSE_TOLERANCE = 1e-3
/** A Jacobian is kept while each step is less than this share of the one before. */
const SHRUNK = 0.15
/** A step changes a height by at most this factor. */
const MOST_CHANGE = 3

/** Shares of the guessed heights to start from, one after the other. */
const STARTS = [1, 0.7, 0.4, 1.5, 0.15, 2.5]
/** Sizes above `MANY` start from a solution of the larger of these sizes, others from one of the smaller. */
const COARSE = 10
const LESS_COARSE = 16
const MANY = 26
/** The first of its nodes at which its polynomial is precise. */
const FIRST_PRECISE = 1
/** Further nodes of a fine boundary. */
const FINER = 16

/** Undefined where Newton's method does not converge, as it cannot where there is no such boundary. */
export function solveBoundary(problem: BoundaryProblem): Boundary | undefined {
  const { size: least, stretch } = sizeFor(problem)
  const size = problem.isFine ? least + FINER : least
  const coarse = solveCoarse(problem, size > MANY ? LESS_COARSE : COARSE, stretch)
  if (coarse === undefined) return undefined
  const scheme = schemeOf(size, stretch)
  const guesses = guessesAt(problem, scheme)
  return (
    solveFrom(problem, scheme, refinedHeights(coarse, scheme, guesses), TOLERANCE) ??
    solveFrom(problem, scheme, guesses, TOLERANCE)
  )
}

function solveCoarse(problem: BoundaryProblem, size: number, stretch: number | undefined) {
  const scheme = schemeOf(size, stretch)
  const guesses = guessesAt(problem, scheme)
  for (const share of STARTS) {
    const heights = guesses.map((guess) => share * guess)
    const found = solveFrom(problem, scheme, heights, COARSE_TOLERANCE)
    if (found !== undefined) return found
  }
  return undefined
}

/** Quadrature points to a node: few where the boundary settles late, so that size is small. */
const schemeOf = (size: number, stretch: number | undefined) =>
  collocation(size, Math.round((size <= 18 ? 0.85 : size <= MANY ? 1 : 1.15) * size), stretch)

const guessesAt = (problem: BoundaryProblem, scheme: Collocation) =>
  scheme.times.map((time) => guessedHeight(problem, time * problem.horizon))

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

/**
 * The solution from heights to start with, which are overwritten, or undefined. A Jacobian is kept as long as the steps with it
 * shrink fast: then the error is less than the product of the last step with the last two steps' ratio.
 */
function solveFrom(
  problem: BoundaryProblem,
  scheme: Collocation,
  heights: Float64Array,
  tolerance: number,
): Boundary | undefined {
  const equations = equationsFor(problem, scheme)
  const { residuals, jacobian, exchanged } = equations
  let before = Number.POSITIVE_INFINITY
  let isNew = true
  for (let count = 0; count < MOST_STEPS; count++) {
    writeEquations(problem, scheme, heights, equations, isNew)
    if (isNew) factorise(jacobian, exchanged)
    solveFactorised(jacobian, exchanged, residuals)
    const change = moved(heights, residuals)
    if (Number.isNaN(change)) return undefined
    // Newton's own steps shrink to their squares.
    const ratio: number = isNew ? change : change / before
    if (change * ratio <= tolerance)
      return { ...problem, scheme, squares: heights.map((height) => height * height) }
    isNew = !(ratio < SHRUNK)
    before = change
  }
  return undefined
}

/** About the microseconds that it takes. */
export const boundaryMicros = (problem: BoundaryProblem): number => 80 + 0.02 * sizeFor(problem).size ** 3

/** ln of the boundary at a time to maturity; beyond the horizon that at the horizon. */
export function logBoundary({ limit, side, horizon, scheme, squares }: Boundary, time: number): number {
  const share = Math.min(1, time / horizon)
  return Math.log(limit) - side * Math.sqrt(Math.abs(interpolated(scheme, squares, share)))
}

/** The drift of the log price over its standard deviation, squared, with the discount: the rate at which the boundary settles. */
export function stiffness({
  rate,
  dividendYield,
  horizon,
}: ScaledPut & { readonly horizon: number }): number {
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
  // Without drift the boundary still moves with the deviation of the log price, as with the usual drift of −½.
  const stiff = Math.max(stiffness(problem), problem.horizon / 8)
  const distance = -Math.log(problem.limit) / Math.sqrt(problem.horizon)
  const size = stiff < 0.05 ? 15 : stiff < 0.2 ? 18 : stiff < 1 ? 22 : stiff < 6 ? 26 : stiff < 20 ? 32 : 40
  if (problem.side < 0) return { size: Math.max(size, 24), stretch: 0 }
  // Of two boundaries that meet, whose premium is a difference.
  const leastOfTwo = problem.rate < 0 ? 26 : 0
  if (distance < 0.0005) return { size: Math.max(size, leastOfTwo), stretch: undefined }
  const inPassage = stiff < 0.1 ? 36 : stiff < 5 ? 44 : stiff < 20 ? 52 : 64
  const least = distance < 1.2 ? inPassage : distance < 2.2 ? 24 : stiff < 0.05 ? 20 : 16
  return { size: Math.max(size, least), stretch: Math.round(2 * Math.asinh(4 / distance)) / 2 }
}

/**
 * A first height: near expiry that of Evans, Kuske & Keller (2002, section 1), later bounded by the boundary of the perpetual
 * put.
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
  const most = r > 0 ? Math.log(limit) + Math.log1p(1 / perpetualPower(problem)) : Number.POSITIVE_INFINITY
  return most > 0 && most < Number.POSITIVE_INFINITY ? most * -Math.expm1(-near / most) : near
}
