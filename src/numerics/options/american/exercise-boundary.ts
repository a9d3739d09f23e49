/** The exercise boundary of an American put, by Newton's method on its equations at Chebyshev points. */
import { spend } from '../../budget.ts'
import { factorise, solveFactorised } from '../../matrices/linear-system.ts'
import { type Collocation, collocation, interpolated } from './collocation.ts'
import { equationsFor } from './equations-memory.ts'
import { writeEquations } from './exercise-equations.ts'
import { laterPieces, logInPieces, type Piece, piecesMicros } from './later-boundary.ts'
import { perpetualBoundary, perpetualPower } from './perpetual-put.ts'
import type { BoundaryProblem, ScaledPut } from './scaled-put.ts'

export interface Boundary extends BoundaryProblem {
  readonly scheme: Collocation
  /** ln(boundary/limit)² at the nodes. */
  readonly squares: Float64Array
  /**
   * The derivatives of the squares by the rate, the yield and the logarithm of the volatility, node by node, at times that are
   * fixed shares of the maturity; only where they are asked for.
   */
  readonly changes?: Float64Array
  /** The boundary from the horizon on, where it was solved piece by piece. */
  readonly later?: readonly Piece[]
}

const MOST_STEPS = 20
/** Newton's method ends when its error is below this share of the largest square. */
const TOLERANCE = 2e-12
/** The tolerance of a coarse solution, from which the final one starts. */
const COARSE_TOLERANCE = 1e-3
/** A Jacobian is reused while each step is smaller than the one before by this factor. */
const SHRUNK = 0.15
/** A step changes a height by at most this factor. */
const MOST_CHANGE = 3

/** The factors of the guessed heights with which starts are tried, in this order. */
const STARTS = [1, 0.7, 0.4, 1.5, 0.15, 2.5]
/** From this product of rate and horizon on the boundary settles before it has fallen far below the strike. */
const SMALL_INCOME = 0.1
/** The least boundary of a perpetual put, as a share of the limit at expiry, that is soon reached. */
export const LEAST_PERPETUAL = 1e-5
/** At a rate below 0 an error of slopes may grow by the exponential of this. */
const MOST_GROWTH = 2
/** The longest horizon, and the largest stiffness, up to which a boundary is solved at once before pieces continue it. */
const [FIRST_HORIZON, FIRST_STIFFNESS] = [4, 3]
/** A horizon that cannot be solved at once is halved so many times. */
const MOST_SHORTER = 5
/** The sizes of coarse solutions: `LESS_COARSE` for final sizes above `MANY`, otherwise `COARSE`. */
const COARSE = 10
const LESS_COARSE = 16
const MANY = 26
/** The index of the first node at which the polynomial of a coarse solution is precise. */
const FIRST_PRECISE = 1
/** The number of nodes that a fine boundary has in addition. */
const FINER = 16

/** Solves a boundary. Undefined: Newton's method does not converge; the boundary may not exist. */
export function solveBoundary(problem: BoundaryProblem): Boundary | undefined {
  if (needsPieces(problem)) return solveInPieces(problem)
  return solveAtOnce(problem) ?? (problem.side > 0 ? solveInPieces(problem) : undefined)
}

function solveAtOnce(problem: BoundaryProblem): Boundary | undefined {
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

/**
 * Whether no polynomial up to the horizon is near the boundary: at a rate above 0 it falls far below its limit, at one below 0 an error
 * of its slopes grows.
 */
export function needsPieces(problem: BoundaryProblem): boolean {
  const { rate, horizon, limit } = problem
  if (!isLong(problem)) return false
  if (rate < 0) return -rate * horizon > MOST_GROWTH
  return rate * horizon < SMALL_INCOME || perpetualBoundary(problem) < LEAST_PERPETUAL * limit
}

/** Whether a boundary can be continued piece by piece to its horizon. */
const isLong = (problem: BoundaryProblem): boolean =>
  problem.side > 0 && problem.horizon > firstHorizon(problem)

const firstHorizon = (problem: BoundaryProblem): number =>
  Math.min(FIRST_HORIZON, FIRST_STIFFNESS / stiffness({ ...problem, horizon: 1 }))

/** Continues the boundary of the longest horizon that is solved at once. */
function solveInPieces(problem: BoundaryProblem): Boundary | undefined {
  let from = Math.min(firstHorizon(problem), 0.5 * problem.horizon)
  for (let count = 0; count < MOST_SHORTER; count++) {
    const first = solveAtOnce({ ...problem, horizon: from })
    if (first !== undefined) {
      const start = (time: number) => logBoundary(first, time)
      const later = laterPieces({ put: problem, start, from, withChanges: false }, problem.horizon)
      return later && { ...first, later }
    }
    from *= 0.5
  }
  return undefined
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

/** The collocation of a size. Small sizes need fewer quadrature points a node. */
const schemeOf = (size: number, stretch: number | undefined) =>
  collocation(size, Math.round((size <= 18 ? 0.85 : size <= MANY ? 1 : 1.15) * size), stretch)

const guessesAt = (problem: BoundaryProblem, scheme: Collocation) =>
  scheme.times.map((time) => guessedHeight(problem, time * problem.horizon))

/** Heights from the polynomial of a coarse solution; before its first precise node, the guesses in the same proportion. */
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
 * Solves a boundary from starting heights, which are overwritten; undefined: no convergence. A Jacobian is reused as long as
 * steps shrink fast: then the error is below the last step times the ratio of the last two steps.
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
    spend(stepMicros(scheme, isNew))
    writeEquations({ problem, scheme, heights, equations }, { withJacobian: isNew })
    if (isNew) factorise(jacobian, exchanged)
    solveFactorised(jacobian, exchanged, residuals)
    const change = moved(heights, residuals)
    if (Number.isNaN(change)) return undefined
    // With a new Jacobian a step shrinks to about its square.
    const ratio: number = isNew ? change : change / before
    if (change * ratio <= tolerance)
      return { ...problem, scheme, squares: heights.map((height) => height * height) }
    isNew = !(ratio < SHRUNK)
    before = change
  }
  return undefined
}

/** The time of a step of Newton's method, in microseconds. */
export function stepMicros({ size, roots }: Collocation, isNew: boolean): number {
  const points = size * roots.length
  return isNew ? points * (0.035 + 0.0013 * size) + 0.0006 * size ** 3 : points * (0.024 + 0.0006 * size)
}

/** An estimate of the time that `solveBoundary` takes for a boundary in pieces, with its changes, in microseconds. */
export const longBoundaryMicros = (problem: BoundaryProblem): number =>
  boundaryMicros({ ...problem, horizon: firstHorizon(problem) }) +
  piecesMicros(firstHorizon(problem), problem.horizon)

/** An estimate of the time that `solveBoundary` takes, in microseconds. */
export const boundaryMicros = (problem: BoundaryProblem): number =>
  80 + (problem.limit < 1 ? 0.03 : 0.02) * sizeFor(problem).size ** 3

/** ln of the boundary at a time to maturity; beyond the last time that was solved, its value there. */
export function logBoundary(
  { limit, side, horizon, scheme, squares, later }: Boundary,
  time: number,
): number {
  if (later !== undefined && time > horizon) return logInPieces(later, time)
  const share = Math.min(1, time / horizon)
  return Math.log(limit) - side * Math.sqrt(Math.abs(interpolated(scheme, squares, share)))
}

/** How far the boundary has settled at the horizon: half the squared drift in standard deviations, plus the discount. */
export function stiffness({
  rate,
  dividendYield,
  horizon,
}: ScaledPut & { readonly horizon: number }): number {
  return (0.5 * (rate - dividendYield - 0.5) ** 2 + Math.abs(rate)) * horizon
}

/** Moves the heights by Newton's step, and returns the largest change of a square over the largest square. */
export function moved(heights: Float64Array, steps: Float64Array): number {
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
 * The size that keeps the relative error of the put below 1e-11 (`test/numerics/options/american` compares with larger sizes). An
 * upper boundary that begins below the strike behaves later as one that begins at the strike. The transition, when the standard
 * deviation of the log price is about the distance of its limit from the strike, needs the most points.
 */
function sizeFor(problem: BoundaryProblem): { size: number; stretch: number | undefined } {
  // Without drift the boundary still moves with the standard deviation, as much as with the usual drift of −½.
  const stiff = Math.max(stiffness(problem), problem.horizon / 8)
  const distance = -Math.log(problem.limit) / Math.sqrt(problem.horizon)
  const size = stiff < 0.05 ? 15 : stiff < 0.2 ? 18 : stiff < 1 ? 22 : stiff < 6 ? 26 : stiff < 20 ? 32 : 40
  if (problem.side < 0) return { size: Math.max(size, 24), stretch: 0 }
  // The premium between two boundaries that meet is a difference, which needs more digits.
  const leastOfTwo = problem.rate < 0 ? 26 : 0
  if (distance < 0.0005) return { size: Math.max(size, leastOfTwo), stretch: undefined }
  const inPassage = stiff < 0.1 ? 36 : stiff < 5 ? 44 : stiff < 20 ? 52 : 64
  const least = distance < 1.2 ? inPassage : distance < 2.2 ? 24 : stiff < 0.05 ? 20 : 16
  return { size: Math.max(size, least), stretch: Math.round(2 * Math.asinh(4 / distance)) / 2 }
}

/**
 * A first guess of a height: near expiry the asymptotic form of Evans, Kuske & Keller (2002, section 1), later bounded by the
 * boundary of the perpetual put.
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
  const most = r >= 0 ? Math.log(limit) + Math.log1p(1 / perpetualPower(problem)) : Number.POSITIVE_INFINITY
  return most > 0 && most < Number.POSITIVE_INFINITY ? most * -Math.expm1(-near / most) : near
}
