/** The equations of an exercise boundary in its values at the nodes, with their derivatives. */
import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'
import type { Collocation } from './collocation.ts'

/** A put with the strike 1, in units of time in which the variance of the log price is 1. */
export interface ScaledPut {
  readonly rate: number
  readonly dividendYield: number
  /** For the boundary itself: the error of a price is that of a mean, and smaller. */
  readonly isFine?: boolean
}

/** Where to compute the boundary of a put. */
export interface BoundaryProblem extends ScaledPut {
  /** The latest time to maturity. */
  readonly horizon: number
  /** The boundary as the time to maturity goes to 0. */
  readonly limit: number
  /** 1: the put is exercised below the boundary; −1: above it. */
  readonly side: 1 | -1
}

/** What the equation of one time is the difference of, with the derivatives by the heights. */
interface Sides {
  gain: number
  loss: number
  /** By the height at the time itself. */
  ownGain: number
  ownLoss: number
  readonly gains: Float64Array
  readonly losses: Float64Array
}

/**
 * Writes the residuals and their Jacobian for heights |ln(boundary/limit)| at the nodes.
 *
 * The value of the put has the slope −1 at the boundary b (Andersen, Lake & Offengenden 2016, eq. 12; with two boundaries each
 * has an equation of its own, Andersen & Lake 2021). With E = exp(−q(τ−u))·φ(d), d = [ln(b(τ)/b(u)) + (r − q + ½)(τ − u)]/√(τ − u)
 * and 1 − exp(−qτ) = q∫exp(−q(τ−u))du this is
 *   exp(−qτ)·Φ(d₀) + q∫exp(−q(τ−u))·Φ(d)du = ∫E·(r/b(u) − q)/√(τ−u)du
 * for the upper boundary, where d₀ is d with the strike for b(u), and
 *   q∫exp(−q(τ−u))·Φ(−d)du = −∫E·(r/b(u) − q)/√(τ−u)du
 * for the lower one, all of whose terms are of one sign.
 */
export function writeEquations(
  problem: BoundaryProblem,
  scheme: Collocation,
  heights: Float64Array,
  residuals: Float64Array,
  jacobian: Float64Array,
): void {
  const { size, times } = scheme
  const squares = heights.map((height) => height * height)
  const sides: Sides = {
    gain: 0,
    loss: 0,
    ownGain: 0,
    ownLoss: 0,
    gains: new Float64Array(size),
    losses: new Float64Array(size),
  }
  for (let i = 0; i < size; i++) {
    const root = Math.sqrt(problem.horizon * times[i])
    startSides(problem, root, heights[i], sides)
    integrateSides(problem, scheme, i, root, heights[i], squares, sides)
    const { gain, loss, gains, losses, ownGain, ownLoss } = sides
    // Logarithms of the two sides make Newton's steps from afar as good as from near.
    const isRatio = gain / loss > 0
    residuals[i] = isRatio ? Math.log(gain / loss) : gain - loss
    const byGain = isRatio ? 1 / gain : 1
    const byLoss = isRatio ? 1 / loss : 1
    for (let j = 0; j < size; j++)
      jacobian[i * size + j] = (byGain * gains[j] - byLoss * losses[j]) * heights[j]
    jacobian[i * size + i] -= problem.side * (byGain * ownGain - byLoss * ownLoss)
  }
}

/** The term of the European put, which only the upper boundary has. */
function startSides(problem: BoundaryProblem, root: number, height: number, sides: Sides): void {
  sides.gain = 0
  sides.loss = 0
  sides.ownGain = 0
  sides.ownLoss = 0
  sides.gains.fill(0)
  sides.losses.fill(0)
  if (problem.side < 0) return
  const { rate, dividendYield, limit } = problem
  const d = (Math.log(limit) - height) / root + (rate - dividendYield + 0.5) * root
  const decay = -dividendYield * root * root
  const density = NORMAL_PEAK * Math.exp(decay - 0.5 * d * d)
  sides.gain = d < 0 ? density * millsRatio(-d) : Math.exp(decay) - density * millsRatio(d)
  sides.ownGain = density / root
}

function integrateSides(
  problem: BoundaryProblem,
  scheme: Collocation,
  i: number,
  root: number,
  height: number,
  squares: Float64Array,
  sides: Sides,
): void {
  const { rate, dividendYield, limit, side } = problem
  const { size, roots, weights, rows } = scheme
  const { gains, losses } = sides
  const drift = rate - dividendYield + 0.5
  const atLimit = rate / limit
  const excessAtLimit = limit === 1 ? rate - dividendYield : 0
  const own = -side * height
  let { gain, loss, ownGain, ownLoss } = sides
  for (let k = 0; k < roots.length; k++) {
    const row = (i * roots.length + k) * size
    let square = 0
    for (let j = 0; j < size; j++) square += rows[row + j] * squares[j]
    const span = root * roots[k]
    const there = -side * Math.sqrt(Math.abs(square))
    const d = (own - there) / span + drift * span
    const decay = -dividendYield * span * span
    const density = NORMAL_PEAK * Math.exp(decay - 0.5 * d * d)
    const mills = density * millsRatio(Math.abs(d))
    const tail = side * d < 0 ? mills : Math.exp(decay) - mills
    const weight = root * root * weights[k]
    const unit = (side * density * weight) / span
    const excess = excessAtLimit + atLimit * Math.expm1(-there)
    gain += dividendYield * weight * tail
    loss += unit * excess
    // By the logarithm of the boundary at τ, and less it by that at u.
    const gainByOwn = dividendYield * unit
    const lossByOwn = (-unit * d * excess) / span
    ownGain += gainByOwn
    ownLoss += lossByOwn
    const perSquare = (square < 0 ? 1 : -1) / there
    const gainBySquare = perSquare * gainByOwn
    const lossBySquare = perSquare * (lossByOwn + unit * (excess + dividendYield))
    for (let j = 0; j < size; j++) {
      gains[j] += gainBySquare * rows[row + j]
      losses[j] += lossBySquare * rows[row + j]
    }
  }
  sides.gain = gain
  sides.loss = loss
  sides.ownGain = ownGain
  sides.ownLoss = ownLoss
}
