/** When an American put is exercised: never, below a boundary, or between two of them until they meet. */
import { type Boundary, boundaryMicros, logBoundary, solveBoundary, stiffness } from './exercise-boundary.ts'
import { perpetualBoundary } from './perpetual-put.ts'
import type { ScaledPut } from './scaled-put.ts'

export interface ExerciseRegion {
  readonly upper: Boundary
  readonly lower?: Boundary
  /** Before it, in time to maturity, there are boundaries; they meet there if it is less than the horizon. */
  readonly end: number
}

/** Where the boundary settles faster and not to that of a perpetual put, more nodes would be needed. */
const MOST_STIFFNESS = 60
/** From there on a boundary differs from that of the perpetual put by about exp(−40) of it. */
const SETTLED = 40
/** A perpetual put with a lower boundary is not computed from it. */
const LEAST_PERPETUAL = 1e-5
const MOST_HORIZONS = 30

/**
 * The region up to a time to maturity; undefined where exercise is never optimal, `refused` where no boundary can be computed
 * to the stated error. Exercise at S < K is worth r·K − q·S a year: so there is none for r ≤ 0 and q ≥ r, and a second boundary
 * from K·r/q on for q < r < 0 (Andersen & Lake 2021, section 2).
 */
export function exerciseRegion(put: ScaledPut, horizon: number): ExerciseRegion | undefined | 'refused' {
  const { rate, dividendYield } = put
  // In units of so small a volatility both rates are beyond every double, and which is the greater is not known.
  if (rate === dividendYield && !Number.isFinite(rate)) return 'refused'
  if (rate <= 0 && dividendYield >= rate) return undefined
  const limit = rate > 0 && dividendYield > rate ? rate / dividendYield : 1
  const problem = { ...put, horizon: unsettledTime(put, horizon), limit, side: 1 as const }
  if (!(stiffness(problem) <= MOST_STIFFNESS && limit > 0)) return 'refused'
  if (rate < 0) return doubleRegion(put, horizon)
  const upper = solveBoundary(problem)
  return upper ? { upper, end: horizon } : 'refused'
}

/** The part of a horizon in which the boundary changes. */
function unsettledTime(put: ScaledPut, horizon: number): number {
  const stiff = stiffness({ ...put, horizon })
  return stiff > SETTLED && put.rate > 0 && perpetualBoundary(put) > LEAST_PERPETUAL
    ? horizon * (SETTLED / stiff)
    : horizon
}

/** About the microseconds that it takes, with the integral of a price. */
export function exerciseMicros(put: ScaledPut, horizon: number): number {
  const { rate, dividendYield } = put
  if (rate <= 0 && dividendYield >= rate) return 20
  const limit = rate > 0 && dividendYield > rate ? rate / dividendYield : 1
  const problem = { rate, dividendYield, horizon: unsettledTime(put, horizon), limit, side: 1 as const }
  if (!(stiffness(problem) <= MOST_STIFFNESS)) return 20
  return rate < 0 ? 40_000 : 40 + boundaryMicros(problem)
}

/**
 * Each of two boundaries is that of a problem of its own as long as they have not met, and ends somewhat later: so the horizon
 * is shortened until both can be solved, and lengthened until they meet.
 */
function doubleRegion(put: ScaledPut, most: number): ExerciseRegion | 'refused' {
  let [solved, failed] = [0, Number.POSITIVE_INFINITY]
  let found: ExerciseRegion | undefined
  // They meet at about the square of the distance of their limits, where the rates do not matter.
  let horizon = Math.min(most, 4 * Math.log(put.rate / put.dividendYield) ** 2)
  for (let count = 0; count < MOST_HORIZONS; count++) {
    const pair = solvePair(put, horizon)
    if (pair === undefined) failed = horizon
    else {
      found = pair
      if (pair.end < horizon) return horizon > 1.2 * pair.end ? refined(put, pair) : pair
      if (horizon === most) return pair
      solved = horizon
    }
    if (failed - solved < 1e-6 * solved) return 'refused'
    horizon = solved === 0 ? horizon / 4 : Math.min(most, Math.sqrt(solved * Math.min(failed, 16 * solved)))
  }
  return found && found.end < most ? found : 'refused'
}

/** The same with a horizon just beyond the meeting, which gives the nodes to the times before it. */
function refined(put: ScaledPut, rough: ExerciseRegion): ExerciseRegion {
  const pair = solvePair(put, 1.05 * rough.end)
  return pair !== undefined && pair.end < 1.05 * rough.end ? pair : rough
}

function solvePair(put: ScaledPut, horizon: number): ExerciseRegion | undefined {
  const upper = solveBoundary({ ...put, horizon, limit: 1, side: 1 })
  const lower = upper && solveBoundary({ ...put, horizon, limit: put.rate / put.dividendYield, side: -1 })
  if (upper === undefined || lower === undefined) return undefined
  const gap = (time: number) => logBoundary(upper, time) - logBoundary(lower, time)
  if (gap(horizon) >= 0) return { upper, lower, end: horizon }
  let [low, high] = [0, horizon]
  while (high - low > 1e-15 * horizon) {
    const middle = 0.5 * (low + high)
    if (middle === low || middle === high) break
    if (gap(middle) > 0) low = middle
    else high = middle
  }
  return { upper, lower, end: low }
}
