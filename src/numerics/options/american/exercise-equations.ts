/** The equations of an exercise boundary in its values at the nodes, with their derivatives. */
import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'
import type { Collocation } from './collocation.ts'
import { type Equations, exponentialOf } from './equations-memory.ts'
import type { BoundaryProblem } from './scaled-put.ts'

export interface BoundarySystem {
  readonly problem: BoundaryProblem
  readonly scheme: Collocation
  /** |ln(boundary/limit)| at the nodes. */
  readonly heights: Float64Array
  readonly equations: Equations
}

/**
 * Writes the residuals, and if asked their Jacobian, for heights |ln(boundary/limit)| at the nodes.
 *
 * The value of the put has the slope −1 at the boundary b (Andersen, Lake & Offengenden 2016, eq. 12; with two boundaries each
 * has an equation of its own, Andersen & Lake 2021). With E = exp(−q(τ−u))·φ(d), d = [ln(b(τ)/b(u)) + (r − q + ½)(τ − u)]/√(τ − u)
 * and 1 − exp(−qτ) = q∫exp(−q(τ−u))du this is
 *   exp(−qτ)·Φ(d₀) + q∫exp(−q(τ−u))·Φ(d)du = ∫E·(r/b(u) − q)/√(τ−u)du
 * for the upper boundary, where d₀ is d with the strike in place of b(u), and
 *   q∫exp(−q(τ−u))·Φ(−d)du = −∫E·(r/b(u) − q)/√(τ−u)du
 * for the lower boundary, where all terms have one sign.
 */
export function writeEquations(
  system: BoundarySystem,
  { withJacobian }: { readonly withJacobian: boolean },
): void {
  const { problem, scheme, heights, equations } = system
  const { squares, squaresThere, densities, mills, excesses } = equations
  for (let j = 0; j < heights.length; j++) squares[j] = heights[j] * heights[j]
  writeSquares(scheme.rows, squares, squaresThere)
  writeDeviations(problem, scheme, heights, equations)
  // In short loops over all points V8 keeps doubles in registers instead of heap objects.
  for (let at = 0; at < densities.length; at++) densities[at] = NORMAL_PEAK * exponentialOf(densities[at])
  if (problem.dividendYield !== 0) for (let at = 0; at < mills.length; at++) mills[at] = millsRatio(mills[at])
  writeExcesses(problem, excesses)
  for (let i = 0; i < heights.length; i++) writeResidual(system, i, withJacobian)
}

/** Writes the polynomial at the quadrature points. Two independent sums at a time use the processor better. */
function writeSquares(rows: Float64Array, squares: Float64Array, into: Float64Array): void {
  const size = squares.length
  const half = (into.length + 1) >> 1
  for (let at = 0; at < half; at++) {
    const row = at * size
    const other = (into.length - 1 - at) * size
    let sum = 0
    let otherSum = 0
    for (let j = 0; j < size; j++) {
      sum += rows[row + j] * squares[j]
      otherSum += rows[other + j] * squares[j]
    }
    into[at] = sum
    into[into.length - 1 - at] = otherSum
  }
}

/** Writes the deviations d, and the arguments of the densities, of Mills' ratios and of the excesses. */
function writeDeviations(
  { rate, dividendYield, side }: BoundaryProblem,
  { roots }: Collocation,
  heights: Float64Array,
  equations: Equations,
): void {
  const { inverseSpans, decays, squaresThere, logs, deviations, densities, mills, excesses } = equations
  const drift = rate - dividendYield + 0.5
  for (let i = 0; i < heights.length; i++) {
    const own = -side * heights[i]
    for (let at = i * roots.length; at < (i + 1) * roots.length; at++) {
      const there = -side * Math.sqrt(Math.abs(squaresThere[at]))
      const d = (own - there) * inverseSpans[at] + drift / inverseSpans[at]
      logs[at] = there
      deviations[at] = d
      densities[at] = decays[at] - 0.5 * d * d
      mills[at] = Math.abs(d)
      excesses[at] = -there
    }
  }
}

/** Writes r/b − q, without cancellation where the boundary begins at the strike. */
function writeExcesses({ rate, dividendYield, limit }: BoundaryProblem, excesses: Float64Array): void {
  const atLimit = rate / limit
  const excessAtLimit = limit === 1 ? rate - dividendYield : 0
  for (let at = 0; at < excesses.length; at++) {
    const x = excesses[at]
    const small =
      x * (1 + (x / 2) * (1 + (x / 3) * (1 + (x / 4) * (1 + (x / 5) * (1 + (x / 6) * (1 + x / 7))))))
    excesses[at] = excessAtLimit + atLimit * (x > -SMALL && x < SMALL ? small : exponentialOf(x) - 1)
  }
}

function writeResidual(system: BoundarySystem, i: number, withJacobian: boolean): void {
  const { problem, scheme, heights, equations } = system
  const { dividendYield, side, horizon } = problem
  const { times, weights } = scheme
  const { inverseSpans, discounts, deviations, densities, mills, excesses } = equations
  const time = horizon * times[i]
  const isRest = gainsByRest(problem)
  const start = startOf(problem, time, heights[i])
  let gain = start.gain
  let loss = 0
  for (let k = 0; k < weights.length; k++) {
    const at = i * weights.length + k
    const weight = time * weights[k]
    const below = densities[at] * mills[at]
    const isTail = side * deviations[at] < 0 !== isRest
    gain += (isRest ? -1 : 1) * dividendYield * weight * (isTail ? below : discounts[at] - below)
    loss += side * densities[at] * weight * inverseSpans[at] * excesses[at]
  }
  // The logarithm of the ratio of both sides lets Newton's method converge from afar, too.
  const isRatio = gain / loss > 0
  equations.residuals[i] = isRatio ? Math.log(gain / loss) : gain - loss
  if (!withJacobian) return
  const byGain = isRatio ? 1 / gain : 1
  const byLoss = isRatio ? 1 / loss : 1
  const own = byGain * start.slope + writePointSlopes(system, i, byGain, byLoss)
  writeSlopes(scheme.rows, i, equations.slopes, heights, equations.jacobian)
  equations.jacobian[i * heights.length + i] -= side * own
}

/** The term of the European put, which only the upper boundary has, and its derivative by the boundary. */
export function startOf(
  problem: BoundaryProblem,
  time: number,
  height: number,
): { gain: number; slope: number } {
  const { rate, dividendYield, limit, side } = problem
  if (side < 0) return { gain: 0, slope: 0 }
  const root = Math.sqrt(time)
  const d = (Math.log(limit) - height) / root + (rate - dividendYield + 0.5) * root
  const decay = -dividendYield * time
  const density = NORMAL_PEAK * Math.exp(decay - 0.5 * d * d)
  const below = density * millsRatio(Math.abs(d))
  const isRest = gainsByRest(problem)
  const gain = d < 0 !== isRest ? below : Math.exp(decay) - below
  return { gain: isRest ? 1 - gain : gain, slope: density / root }
}

/**
 * Whether the gain is computed as 1 less its complement. With a negative yield the two terms of the upper boundary grow with
 * exp(−qτ) and cancel, and those of the complement, with Φ(−d), are small. At short times the gain, about (r − q)·√τ, would cancel
 * against the 1 instead.
 */
export const gainsByRest = ({ dividendYield, horizon, side }: BoundaryProblem) =>
  side > 0 && -dividendYield * horizon > SHORT

/** Writes the derivatives of the residual by the squares at the quadrature points; returns that by the log boundary at τ. */
function writePointSlopes(
  { problem, scheme, equations }: BoundarySystem,
  i: number,
  byGain: number,
  byLoss: number,
): number {
  const { dividendYield, side, horizon } = problem
  const { times, weights } = scheme
  const { inverseSpans, squaresThere, logs, deviations, densities, excesses, slopes } = equations
  let own = 0
  for (let k = 0; k < weights.length; k++) {
    const at = i * weights.length + k
    const unit = side * densities[at] * horizon * times[i] * weights[k] * inverseSpans[at]
    // The derivatives by the logarithm of the boundary at τ; those by its logarithm at u have the opposite sign.
    const gain = dividendYield * unit
    const loss = -unit * deviations[at] * excesses[at] * inverseSpans[at]
    const slope = byGain * gain - byLoss * loss
    own += slope
    const bySquare = (squaresThere[at] < 0 ? 1 : -1) / logs[at]
    slopes[at] = bySquare * (slope - byLoss * unit * (excesses[at] + dividendYield))
  }
  return own
}

/** Writes a row of the Jacobian by the heights, from the derivatives by the squares at the quadrature points. */
function writeSlopes(
  rows: Float64Array,
  i: number,
  slopes: Float64Array,
  heights: Float64Array,
  jacobian: Float64Array,
): void {
  const size = heights.length
  const points = slopes.length / size
  for (let j = 0; j < size; j++) {
    let sum = 0
    let row = i * points * size + j
    for (let at = i * points; at < (i + 1) * points; at++) {
      sum += slopes[at] * rows[row]
      row += size
    }
    jacobian[i * size + j] = sum * heights[j]
  }
}

/** The least −qτ at which the complement is computed. */
const SHORT = 0.5
/** Below this |x| the Taylor series of exp(x) − 1 has all digits. */
const SMALL = 1 / 32
