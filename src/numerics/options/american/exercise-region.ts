/** When an American put is exercised: never, below a boundary, or between two of them until they meet. */
import {
  type Boundary,
  boundaryMicros,
  LEAST_PERPETUAL,
  logBoundary,
  longBoundaryMicros,
  needsPieces,
  solveBoundary,
  stiffness,
} from './exercise-boundary.ts'
import { perpetualBoundary } from './perpetual-put.ts'
import type { ScaledPut } from './scaled-put.ts'

export interface ExerciseRegion {
  readonly upper: Boundary
  readonly lower?: Boundary
  /** The time to maturity up to which there are boundaries; if it is below the horizon, they meet there. */
  readonly end: number
  /** The time to maturity up to which the boundary was solved, where it could not be up to the horizon. */
  readonly known?: number
}

/** Boundaries of larger stiffness would need more nodes, unless they settle to that of a perpetual put. */
const MOST_STIFFNESS = 60
/** From this stiffness on a boundary differs from that of the perpetual put by about exp(−40) relative to it. */
const SETTLED = 40
const MOST_HORIZONS = 30
/** A rate times a time to maturity that is smaller changes no price by 1e-12 of itself. */
const NO_INCOME = 1e-13

/**
 * The exercise region up to a time to maturity. Undefined: exercise is never optimal. `refused`: no boundary can be computed to the
 * stated error. Exercise at S < K earns r·K − q·S a year. So it is never optimal for r ≤ 0 and q ≥ r, and for q < r < 0 there is a
 * second boundary, with the limit K·r/q (Andersen & Lake 2021, section 2).
 */
export function exerciseRegion(given: ScaledPut, horizon: number): ExerciseRegion | undefined | 'refused' {
  // A rate of no effect on any digit: the boundary of a rate of 0 is solved, if there is one.
  const isIdle = given.rate > 0 && given.rate * horizon < NO_INCOME && given.dividendYield <= 0
  const put = isIdle ? { ...given, rate: 0 } : given
  const { rate, dividendYield } = put
  // Both rates overflowed when they were scaled by the volatility, so it is unknown which one is greater.
  if (rate === dividendYield && !Number.isFinite(rate)) return 'refused'
  if (rate <= 0 && dividendYield >= rate) return undefined
  const limit = limitOf(put)
  const problem = { ...put, horizon: unsettledTime(put, horizon), limit, side: 1 as const }
  if (rate < 0) return doubleRegion(put, horizon)
  if (!((stiffness(problem) <= MOST_STIFFNESS || needsPieces(problem)) && limit > 0)) return 'refused'
  const upper = solveBoundary(problem)
  if (upper === undefined) return 'refused'
  const known = upper.later?.at(-1)?.to ?? problem.horizon
  return known < problem.horizon ? { upper, end: horizon, known } : { upper, end: horizon }
}

/** The upper boundary as the time to maturity goes to 0. */
const limitOf = ({ rate, dividendYield }: ScaledPut) =>
  rate > 0 && dividendYield > rate ? rate / dividendYield : 1

/** The part of a horizon in which the boundary changes. */
function unsettledTime(put: ScaledPut, horizon: number): number {
  const stiff = stiffness({ ...put, horizon })
  return stiff > SETTLED && put.rate >= 0 && perpetualBoundary(put) > LEAST_PERPETUAL * limitOf(put)
    ? horizon * (SETTLED / stiff)
    : horizon
}

/** An estimate of the time for the region and the integral of a price, in microseconds. */
export function exerciseMicros(put: ScaledPut, horizon: number): number {
  const { rate, dividendYield } = put
  if (rate <= 0 && dividendYield >= rate) return 20
  const unsettled = { rate, dividendYield, horizon: unsettledTime(put, horizon) }
  const problem = { ...unsettled, limit: limitOf(put), side: 1 as const }
  if (rate < 0) {
    const longest = { ...problem, horizon: Math.min(horizon, settlingTime(put)) }
    return 40_000 + (needsPieces(longest) ? 2 * longBoundaryMicros(longest) : 0)
  }
  if (needsPieces(problem)) return longBoundaryMicros(problem)
  return stiffness(problem) <= MOST_STIFFNESS ? 40 + boundaryMicros(problem) : 20
}

/**
 * A region between two boundaries. Until they meet, each boundary solves a problem of its own, whose solution ends somewhat later.
 * So the horizon is shortened until both can be solved, and lengthened until they meet.
 */
function doubleRegion(put: ScaledPut, maturity: number): ExerciseRegion | 'refused' {
  const most = Math.min(maturity, settlingTime(put))
  let [solved, failed] = [0, Number.POSITIVE_INFINITY]
  let found: ExerciseRegion | undefined
  // If the rates are small, the boundaries meet at about the square of the distance of their limits.
  let horizon = Math.min(most, 4 * Math.log(put.rate / put.dividendYield) ** 2)
  for (let count = 0; count < MOST_HORIZONS; count++) {
    const pair = solvePair(put, horizon)
    if (pair === undefined) failed = horizon
    else {
      found = pair
      if (pair.end < horizon) return horizon > 1.2 * pair.end ? refined(put, pair) : pair
      if (horizon === most) return { ...pair, end: maturity }
      solved = horizon
    }
    if (failed - solved < 1e-6 * solved) return 'refused'
    horizon = solved === 0 ? horizon / 4 : Math.min(most, Math.sqrt(solved * Math.min(failed, 16 * solved)))
  }
  return found && found.end < most ? found : 'refused'
}

/** The time in which two boundaries come to those without maturity; infinite where there are none, because the boundaries meet. */
function settlingTime({ rate, dividendYield }: ScaledPut): number {
  const carry = rate - dividendYield - 0.5
  const speed = 0.5 * carry * carry + rate
  return carry > 0 && speed > 0 ? SETTLED / speed : Number.POSITIVE_INFINITY
}

/** Solves the region again with a horizon just beyond the meeting, so that more nodes lie before it. */
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
