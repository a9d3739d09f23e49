/** The first-order changes of an exercise boundary with the rate, the yield and the volatility. */
import { spend } from '../../budget.ts'
import { factorise, solveFactorised } from '../../matrices/linear-system.ts'
import { millsRatio } from '../mills-ratio.ts'
import { placeOf } from './collocation.ts'
import { equationsFor } from './equations-memory.ts'
import { type Boundary, logBoundary, moved, stepMicros } from './exercise-boundary.ts'
import { type BoundarySystem, gainsByRest, startOf, writeEquations } from './exercise-equations.ts'
import { laterPieces, logInPieces } from './later-boundary.ts'
import { CHANGES } from './scaled-put.ts'

/** Squares below this share of the largest one have few digits, or none: they do not count in a price. */
const NEGLIGIBLE = [1e-9, 1e-7, 1e-5]
/** A boundary that begins below the strike stays near its limit until this share of their distance in standard deviations. */
const AT_LIMIT = 0.15

const MOST_STEPS = 8
/** The changes are taken after a step that moves no height by more than this share of it. */
const SETTLED = 1e-3

type ChangingBoundary = Boundary & Required<Pick<Boundary, 'changes'>>

export const isChanging = (boundary: Boundary): boundary is ChangingBoundary => boundary.changes !== undefined

/**
 * Solves the equations of the boundary in first order, J·∂h = −∂F. The limit at expiry is held, because it is only the unit of
 * the heights. With ln σ the rates, which are in units of the variance, change by −2 of themselves and the times by 2.
 *
 * Small heights near expiry, which do not count in a price, may be far from the solution, and would disturb the changes: so steps of
 * Newton's method come first. Without changes: they do not converge.
 */
export function withChanges(boundary: Boundary): Boundary {
  for (const share of NEGLIGIBLE) {
    const found = changesBeyond(boundary, share * boundary.squares[boundary.scheme.size - 1])
    if (found !== undefined) return found.later === undefined ? found : (withLaterChanges(found) ?? boundary)
  }
  return boundary
}

function withLaterChanges(boundary: Boundary): Boundary | undefined {
  const { horizon, later, ...before } = boundary
  const start = { ...before, horizon } as ChangingBoundary
  const startAt = (time: number, into?: Float64Array) =>
    into === undefined ? logBoundary(start, time) : logWithChanges(start, time, into)
  const given = { put: boundary, start: startAt, from: horizon, withChanges: true }
  const found = laterPieces(given, later!.at(-1)!.to)
  return found && { ...boundary, later: found }
}

/** @param least the square below which heights are held */
function changesBeyond(boundary: Boundary, least: number): Boundary | undefined {
  const { scheme } = boundary
  const { size, times } = scheme
  const heights = boundary.squares.map(Math.sqrt)
  const equations = equationsFor(boundary, scheme)
  const { residuals, jacobian, exchanged } = equations
  const system = { problem: boundary, scheme, heights, equations }
  const isHeld = boundary.squares.map((square) => (square > least ? 0 : 1))
  for (let count = 0; count < MOST_STEPS; count++) {
    spend(stepMicros(scheme, true))
    writeEquations(system, { withJacobian: true })
    for (let i = 0; i < size; i++)
      if (isHeld[i]) {
        jacobian.fill(0, i * size, (i + 1) * size)
        jacobian[i * size + i] = 1
        residuals[i] = 0
      }
    factorise(jacobian, exchanged)
    solveFactorised(jacobian, exchanged, residuals)
    if (residuals.every((step, i) => Math.abs(step) <= SETTLED * heights[i])) break
    if (count === MOST_STEPS - 1) return undefined
    moved(heights, residuals)
  }
  spend(0.06 * size * scheme.roots.length)
  const columns = Array.from({ length: CHANGES }, () => new Float64Array(size))
  const early = new Float64Array(CHANGES)
  for (let i = 0; i < size; i++) {
    if (!isHeld[i]) writeResidualChanges(system, i, columns)
    else {
      writeEarlyChanges(boundary, boundary.horizon * times[i], early)
      for (let which = 0; which < CHANGES; which++) columns[which][i] = boundary.side * early[which]
    }
  }
  const changes = new Float64Array(CHANGES * size)
  columns.forEach((column, which) => {
    solveFactorised(jacobian, exchanged, column)
    for (let i = 0; i < size; i++) changes[CHANGES * i + which] = -2 * heights[i] * column[i]
  })
  return { ...boundary, squares: heights.map((height) => height * height), changes }
}

/** Writes the changes of ln(boundary) so near expiry that it is its limit, or the change does not count. */
function writeEarlyChanges(
  { rate, dividendYield, limit, side }: Boundary,
  time: number,
  into: Float64Array,
): void {
  const isAtLimit = limit < 1 && (side < 0 || Math.sqrt(time) < -AT_LIMIT * Math.log(limit))
  into[0] = isAtLimit ? 1 / rate : 0
  into[1] = isAtLimit ? -1 / dividendYield : 0
  into[2] = 0
}

/** Writes the derivatives of the residual of a node at fixed heights, from the values that `writeEquations` wrote. */
function writeResidualChanges(system: BoundarySystem, i: number, into: readonly Float64Array[]): void {
  const { problem, scheme, heights, equations } = system
  const { rate, dividendYield, limit, side, horizon } = problem
  const { times, weights } = scheme
  const { inverseSpans, discounts, logs, deviations, densities, excesses } = equations
  const time = horizon * times[i]
  const isRest = gainsByRest(problem)
  const start = startOf(problem, time, heights[i])
  const startDensity = start.slope * time
  let loss = 0
  let byRate = startDensity
  let byYield = -startDensity - time * (start.gain - (isRest ? 1 : 0))
  let byVolatility = -startDensity * ((Math.log(limit) - heights[i]) / time + rate - dividendYield - 0.5)
  for (let k = 0; k < weights.length; k++) {
    const at = i * weights.length + k
    const span = 1 / inverseSpans[at]
    const weight = time * weights[k]
    const d = deviations[at]
    const below = densities[at] * millsRatio(Math.abs(d))
    const isTail = side * d < 0 !== isRest
    const share = (isRest ? -1 : 1) * (isTail ? below : discounts[at] - below)
    const moved = side * dividendYield * weight * densities[at]
    const flow = side * weight * densities[at] * inverseSpans[at]
    const earned = excesses[at]
    loss += flow * earned
    byRate += moved * span - flow * (Math.exp(-logs[at]) / limit - d * span * earned)
    byYield +=
      weight * (1 - dividendYield * span * span) * share -
      moved * span +
      flow * (1 + (span - d) * span * earned)
    byVolatility -= moved * (d - span) + flow * earned * (d * (d - span) - 1)
  }
  into[0][i] = byRate / loss
  into[1][i] = byYield / loss
  into[2][i] = byVolatility / loss
}

/** ln of the boundary at a time to maturity, as `logBoundary` gives it; writes its changes. */
export function logWithChanges(boundary: ChangingBoundary, time: number, into: Float64Array): number {
  const { limit, side, horizon, scheme, squares, changes, later } = boundary
  if (later !== undefined && time > horizon) return logInPieces(later, time, into)
  const { points, size, stretch } = scheme
  const place = placeOf(Math.min(1, time / horizon), stretch) || TINY
  let [sum, square, byRate, byYield, byVolatility] = [0.5 / place, 0, 0, 0, 0]
  let sign = -1
  for (let j = 1; j <= size; j++) {
    const share = (j === size ? 0.5 * sign : sign) / (place - points[j] || TINY)
    sum += share
    square += share * squares[j - 1]
    const at = CHANGES * (j - 1)
    byRate += share * changes[at]
    byYield += share * changes[at + 1]
    byVolatility += share * changes[at + 2]
    sign = -sign
  }
  square /= sum
  if (square > NEGLIGIBLE[0] * squares[size - 1]) {
    const scale = -side / (2 * Math.sqrt(square) * sum)
    into[0] = scale * byRate
    into[1] = scale * byYield
    into[2] = scale * byVolatility
  } else writeEarlyChanges(boundary, time, into)
  return Math.log(limit) - side * Math.sqrt(Math.abs(square))
}

/** A distance from a point at which the polynomial has the value of the point, without a quotient by 0. */
const TINY = 1e-200
