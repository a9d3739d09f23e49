/** When an American put is exercised: never, below a boundary, or between two of them until they meet. */

import { millsRatio, NORMAL_PEAK } from '../mills-ratio.ts'
import {
  type Boundary,
  boundaryMicros,
  fallsFar,
  LEAST_CONTINUED,
  logBoundary,
  solveBoundary,
  solveLonger,
  stiffness,
} from './exercise-boundary.ts'
import { perpetualBoundary } from './perpetual-put.ts'
import type { BoundaryProblem, ScaledPut } from './scaled-put.ts'

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
/** The least boundary of a perpetual put that shortens a horizon. */
const LEAST_PERPETUAL = 1e-5
const MOST_HORIZONS = 30
/** A boundary that cannot be solved is tried at horizons that are shorter by this factor, so many times. */
const SHORTER = 1.5
/** The factor by which a solved horizon is lengthened. */
const STEP = 1.1
const MOST_SHORTER = 8
/** Times at which the income from exercise is bounded. */
const SAMPLES = 256
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
  const limit = rate > 0 && dividendYield > rate ? rate / dividendYield : 1
  const problem = { ...put, horizon: unsettledTime(put, horizon), limit, side: 1 as const }
  if (!(stiffness(problem) <= MOST_STIFFNESS && limit > 0)) return 'refused'
  if (rate < 0) return doubleRegion(put, horizon)
  const upper = solveBoundary(problem)
  if (upper !== undefined) return { upper, end: horizon }
  return (fallsFar(problem) && dividendYield < 0 && begunRegion(problem, horizon)) || 'refused'
}

/** The region of the longest shorter horizon whose boundary can be solved, by continuing it step by step. */
function begunRegion(problem: BoundaryProblem, end: number): ExerciseRegion | undefined {
  let { horizon } = problem
  let upper: Boundary | undefined
  for (let count = 0; count < MOST_SHORTER && upper === undefined; count++) {
    horizon /= SHORTER
    upper = solveBoundary({ ...problem, horizon })
  }
  if (upper === undefined) return undefined
  while (upper.horizon < problem.horizon) {
    horizon = Math.min(problem.horizon, STEP * upper.horizon)
    const longer: Boundary | undefined = solveLonger({ ...problem, horizon }, upper)
    if (longer === undefined) return { upper, end, known: upper.horizon }
    upper = longer
  }
  return { upper, end }
}

/**
 * The most that exercise earlier than `known` can earn, in units of the strike: the boundary is not above its value there, because it
 * falls with the time to maturity.
 */
export function mostEarnedBefore(
  { upper, known = 0 }: ExerciseRegion,
  logSpot: number,
  time: number,
): number {
  const { rate, dividendYield } = upper
  const distance = logSpot - logBoundary(upper, known)
  let most = 0
  for (let k = 1; k <= SAMPLES; k++) {
    const span = ((time - known) * k) / SAMPLES
    const d = (distance + (rate - dividendYield + 0.5) * span) / Math.sqrt(span)
    const tail = tailBeyond(d)
    const strikeTail = tailBeyond(d - Math.sqrt(span))
    most = Math.max(most, rate * strikeTail - dividendYield * Math.exp(logSpot - dividendYield * span) * tail)
  }
  return most * (time - known)
}

/** Φ(−d), or 1 where d is not above 0. */
const tailBeyond = (d: number): number => (d > 0 ? NORMAL_PEAK * Math.exp(-0.5 * d * d) * millsRatio(d) : 1)

/** The part of a horizon in which the boundary changes. */
function unsettledTime(put: ScaledPut, horizon: number): number {
  const stiff = stiffness({ ...put, horizon })
  return stiff > SETTLED && put.rate >= 0 && perpetualBoundary(put) > LEAST_PERPETUAL
    ? horizon * (SETTLED / stiff)
    : horizon
}

/** An estimate of the time for the region and the integral of a price, in microseconds. */
export function exerciseMicros(put: ScaledPut, horizon: number): number {
  const { rate, dividendYield } = put
  if (rate <= 0 && dividendYield >= rate) return 20
  const limit = rate > 0 && dividendYield > rate ? rate / dividendYield : 1
  const problem = { rate, dividendYield, horizon: unsettledTime(put, horizon), limit, side: 1 as const }
  if (!(stiffness(problem) <= MOST_STIFFNESS)) return 20
  if (rate < 0) return 40_000
  return 40 + boundaryMicros(problem) * (fallsFar({ rate, horizon }) && horizon > LEAST_CONTINUED ? 10 : 1)
}

/**
 * A region between two boundaries. Until they meet, each boundary solves a problem of its own, whose solution ends somewhat later.
 * So the horizon is shortened until both can be solved, and lengthened until they meet.
 */
function doubleRegion(put: ScaledPut, most: number): ExerciseRegion | 'refused' {
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
      if (horizon === most) return pair
      solved = horizon
    }
    if (failed - solved < 1e-6 * solved) return 'refused'
    horizon = solved === 0 ? horizon / 4 : Math.min(most, Math.sqrt(solved * Math.min(failed, 16 * solved)))
  }
  return found && found.end < most ? found : 'refused'
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
