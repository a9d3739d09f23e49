/** The spot prices at which an American option is exercised, by time to maturity. */
import { DomainError } from '../../domain-error.ts'
import { type BlackScholesInput, refuseOutside } from '../black-scholes.ts'
import { beyondReach, type PutInUnits, regionOf, scaledPut } from './american-option.ts'
import { logBoundary } from './exercise-boundary.ts'
import { type ExerciseRegion, exerciseMicros } from './exercise-region.ts'

/** Horizons become shorter by this factor towards expiry: a boundary is precise only in the last part of its horizon. */
const SHORTER = 2
/** Until 2⁻⁵⁰ of the maturity the boundary equals its limit to rounding. */
const MOST_POWER = 50
/** A boundary in pieces loses digits where it is as far below the strike as the yield carries the spot: ln of what 1e-8 allows. */
const MOST_LOST = 18

/**
 * The critical prices for each time to maturity, in ascending order: none where exercise is never optimal, one, or two between
 * which it is optimal. At time 0, and at volatility 0, these are the limits at expiry. Throws DomainError as `americanOption`
 * does, and where a critical price exceeds every double.
 * @param times 0…maturity, in years
 */
export const americanBoundary = (input: BlackScholesInput, times: readonly number[]): number[][] =>
  finite(criticalPrices(input, times, false))

/** The same for a chart: faster for many times, with a relative error of about 1e-4. */
export const drawnBoundary = (input: BlackScholesInput, times: readonly number[]): number[][] =>
  finite(criticalPrices(input, times, true))

function finite(prices: number[][]): number[][] {
  if (!prices.flat().every(Number.isFinite)) throw beyondReach()
  return prices
}

function criticalPrices(input: BlackScholesInput, times: readonly number[], isDrawn: boolean): number[][] {
  refuseOutside(input)
  times.forEach((time, index) => {
    if (!(time >= 0 && time <= input.maturity))
      throw new DomainError(`times.${index}`, 'must be from 0 to {maturity}')
  })
  const { strike, volatility, maturity, type } = input
  const limits = limitsAtExpiry(input)
  if (limits.length === 0 || volatility === 0 || maturity === 0) return times.map(() => limits)
  const put = scaledPut(input)
  const longest = put.time
  const regions = new Map<number, ExerciseRegion | undefined>()
  return times.map((time) => {
    if (time === 0) return limits
    const horizon = longest * horizonOf(put, time / maturity, isDrawn)
    if (!regions.has(horizon)) regions.set(horizon, regionOf(input, horizon, true))
    const region = regions.get(horizon)
    // Both rates underflowed when they were scaled by the volatility.
    if (region === undefined) throw beyondReach()
    const scaled = Math.min(longest * (time / maturity), horizon)
    if (scaled > (region.known ?? scaled)) throw beyondReach()
    if (region.lower !== undefined && scaled > region.end) return []
    const found = region.lower === undefined ? [region.upper] : [region.lower, region.upper]
    const logs = found.map((boundary) => logBoundary(boundary, scaled))
    if (region.upper.later !== undefined && Math.min(-put.dividendYield * scaled, -logs.at(-1)!) > MOST_LOST)
      throw beyondReach()
    return type === 'put'
      ? logs.map((log) => strike * Math.exp(log))
      : logs.map((log) => strike * Math.exp(-log)).reverse()
  })
}

/** The horizon of the boundary for a time to maturity, both as shares of the maturity. */
function horizonOf({ rate, dividendYield }: PutInUnits, share: number, isDrawn = false): number {
  // A boundary that begins below the strike is precise to 1e-8 only at the end of its horizon.
  const isOwn = rate > 0 && dividendYield > rate && !isDrawn
  return isOwn
    ? Math.max(share, SHORTER ** -MOST_POWER)
    : SHORTER ** -Math.min(Math.floor(-Math.log2(share)), MOST_POWER)
}

/**
 * An estimate of the time that `americanBoundary` takes, in microseconds. The boundary needs more nodes than a price. A short
 * horizon may be solved although the longest cannot be.
 */
export function americanBoundaryMicros(input: BlackScholesInput, times: readonly number[]): number {
  const { maturity, volatility } = input
  if (volatility === 0 || maturity === 0) return 5 + times.length
  const put = scaledPut(input)
  const within = times.filter((time) => time > 0 && time <= maturity)
  const horizons = new Set(within.map((time) => horizonOf(put, time / maturity)))
  let micros = 5 + times.length
  for (const horizon of horizons) micros += 3 * exerciseMicros(put, put.time * horizon)
  return micros
}

function limitsAtExpiry({ strike, rate, dividendYield, type }: BlackScholesInput): number[] {
  const [own, other] = type === 'put' ? [rate, dividendYield] : [dividendYield, rate]
  // The limit r/q of the put in units of the strike is the price K·r/q for puts and calls.
  const ratio = strike * (rate / dividendYield)
  if (own > 0) return [other > own ? ratio : strike]
  if (other >= own) return []
  if (own === 0) return [strike]
  return type === 'put' ? [ratio, strike] : [strike, ratio]
}
