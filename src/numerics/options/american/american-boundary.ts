/** The spot prices at which an American option is exercised, by time to maturity. */
import { DomainError } from '../../domain-error.ts'
import { type BlackScholesInput, refuseOutside } from '../black-scholes.ts'
import { beyondReach, type PutInUnits, regionOf, scaledPut } from './american-option.ts'
import { logBoundary } from './exercise-boundary.ts'
import { type ExerciseRegion, exerciseMicros } from './exercise-region.ts'

/** Earlier times have horizons that are shorter by this factor: a boundary is precise in the last part of its horizon. */
const SHORTER = 2
/** Before 2⁻⁵⁰ of the maturity the boundary is its limit but for roundings. */
const MOST_POWER = 50

/**
 * For each time to maturity, in ascending order: no critical price where exercise is never optimal, one, or two between which
 * it is. At the time 0, and without volatility at every time, they are the limits at expiry. Throws DomainError as
 * `americanOption`, and where a critical price is above every double.
 * @param times 0…maturity, in years
 * @param isDrawn for a picture: fast at many times, and right to about 1e-4
 */
export function americanBoundary(
  input: BlackScholesInput,
  times: readonly number[],
  isDrawn = false,
): number[][] {
  const prices = criticalPrices(input, times, isDrawn)
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
    // In units of such a volatility, both rates are the smallest of doubles.
    if (region === undefined) throw beyondReach()
    const scaled = Math.min(longest * (time / maturity), horizon)
    if (region.lower !== undefined && scaled > region.end) return []
    const found = region.lower === undefined ? [region.upper] : [region.lower, region.upper]
    const logs = found.map((boundary) => logBoundary(boundary, scaled))
    return type === 'put'
      ? logs.map((log) => strike * Math.exp(log))
      : logs.map((log) => strike * Math.exp(-log)).reverse()
  })
}

/** For a time after a share of the maturity, the share up to which the boundary is solved. */
function horizonOf({ rate, dividendYield }: PutInUnits, share: number, isDrawn = false): number {
  // Where the boundary begins below the strike, only the end of a horizon is precise to 1e-8.
  const isOwn = rate > 0 && dividendYield > rate && !isDrawn
  return isOwn
    ? Math.max(share, SHORTER ** -MOST_POWER)
    : SHORTER ** -Math.min(Math.floor(-Math.log2(share)), MOST_POWER)
}

/**
 * About the microseconds that `americanBoundary` takes. A shorter horizon may be solved where the longest is beyond reach, and
 * takes more nodes than a price needs.
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
  // As prices, the limit of the put's r/q is K·r/q for both.
  const ratio = strike * (rate / dividendYield)
  if (own > 0) return [other > own ? ratio : strike]
  if (other >= own) return []
  if (own === 0) return [strike]
  return type === 'put' ? [ratio, strike] : [strike, ratio]
}
