/** Price and Greeks of an American option under Black–Scholes–Merton, by the integral over its exercise boundary. */
import { logRatio } from '../../arithmetic/log-ratio.ts'
import { DomainError } from '../../domain-error.ts'
import { type BlackScholesInput, blackScholes, blackScholesPrice, refuseOutside } from '../black-scholes.ts'
import { type BlackScholesGreeks, blackScholesGreeks } from '../black-scholes-greeks.ts'
import { withChanges } from './boundary-changes.ts'
import { certainExercise } from './certain-exercise.ts'
import { earnedBelow, earnedBetween } from './early-exercise.ts'
import { logBoundary } from './exercise-boundary.ts'
import { type ExerciseRegion, exerciseMicros, exerciseRegion } from './exercise-region.ts'
import { UNCERTAIN } from './later-boundary.ts'
import { isPerpetual, isWorthless, perpetualSlopes } from './perpetual-put.ts'
import type { RateSlopes, Slopes } from './scaled-put.ts'

export interface AmericanOption {
  readonly price: number
  readonly europeanPrice: number
  /** The price less that of the European option, computed without a difference of the two. */
  readonly premium: number
  /**
   * The Greeks are absent where they do not exist, at the kink of a payoff without uncertainty, and where the spot is below 1e-12 of the
   * strike (calls: above 1e12) and a boundary that falls without bound has lost its digits.
   */
  readonly delta?: number
  readonly gamma?: number
  /** −∂V/∂T. */
  readonly theta?: number
  /** ∂V/∂σ. */
  readonly vega?: number
  /** ∂V/∂r. */
  readonly rho?: number
  /** ∂V/∂q. */
  readonly dividendRho?: number
}

type RateGreeks = Required<Pick<AmericanOption, 'vega' | 'rho' | 'dividendRho'>>

/**
 * The value of the right to exercise at any time up to maturity: the European price plus the integral of the income from exercise
 * (Kim 1990, eq. 10) within the boundary of `exerciseRegion`. A call is the put with spot and strike, rate and yield exchanged
 * (McDonald & Schroder 1998). The relative error of the price is below 1e-10, that of the premium below 1e-8 or 1e-10 of the
 * price. Vega, rho and dividend rho differentiate integral and boundary. Their errors are below 1e-7 of the greater of the American
 * and the European one, or for vega 1e-9 of price/σ, for the rhos of a put with r < q 1e-7 of price/r (calls: q < r, price/q).
 *
 * Throws DomainError outside the stated domain, and where the boundary cannot be computed to that error: beyond about ten
 * standard deviations of drift, or at parameters of extreme size.
 */
export const americanOption = (input: BlackScholesInput): AmericanOption =>
  optionWith(input, withRegionChanges)

/** The same without vega, rho and dividend rho, in less time. */
export const americanPrice = (input: BlackScholesInput): AmericanOption =>
  optionWith(input, (region) => region)

function optionWith(
  input: BlackScholesInput,
  prepared: (region: ExerciseRegion) => ExerciseRegion,
): AmericanOption {
  refuseOutside(input)
  const europeanPrice = blackScholes(input)
  const { volatility, maturity } = input
  if (volatility === 0 || maturity === 0) return certainOption(input, europeanPrice)
  const put = scaledPut(input)
  if (isWorthless(put, put.logSpot, input.type === 'put' ? input.strike : input.spot))
    return { price: europeanPrice, europeanPrice, premium: 0, delta: 0, gamma: 0, theta: 0, ...NO_CHANGE }
  if (isPerpetual(put, put.logSpot, put.time))
    return checked(input, perpetualOption(input, put, europeanPrice))
  const region = regionOf(input, put.time)
  const found = region && premiumSlopes(region, prepared, put)
  const isUncertain = region?.known !== undefined && put.logSpot < UNCERTAIN
  if (isUncertain || found === 'exercised') {
    const option = exercisedOption(input, europeanPrice)
    const { price, premium } = option
    return isUncertain ? { price, europeanPrice, premium } : checked(input, option)
  }
  const greeks = blackScholesGreeks(input)
  if (found === undefined)
    return checked(input, {
      price: europeanPrice,
      europeanPrice,
      premium: 0,
      delta: greeks.delta,
      gamma: greeks.gamma,
      theta: greeks.theta,
      vega: greeks.vega,
      rho: greeks.rho,
      dividendRho: dividendRhoOf(input, greeks.delta),
    })
  return checked(input, withPremium(input, europeanPrice, greeks, found))
}

/** The European option depends on the yield through S·exp(−qT) alone. */
const dividendRhoOf = ({ spot, maturity }: BlackScholesInput, delta: number) =>
  // In this order, a delta of 0 is not multiplied by an infinite product.
  0 - maturity * delta * spot

const NO_CHANGE: RateGreeks = { vega: 0, rho: 0, dividendRho: 0 }

function withRegionChanges(region: ExerciseRegion): ExerciseRegion {
  const upper = withChanges(region.upper)
  return region.lower === undefined
    ? { ...region, upper }
    : { ...region, upper, lower: withChanges(region.lower) }
}

/** The price and Greeks of a put that is exercised at once, or almost surely before maturity. */
function perpetualOption(input: BlackScholesInput, put: PutInUnits, europeanPrice: number): AmericanOption {
  const slopes = perpetualSlopes(put, put.logSpot)
  if (slopes === 'exercised') return exercisedOption(input, europeanPrice)
  const nothing = { delta: 0, gamma: 0, theta: 0, vega: 0, rho: 0 }
  const option = withPremium(input, 0, nothing, slopes)
  return { ...option, europeanPrice, premium: option.price - europeanPrice, theta: 0 }
}

/** An estimate of the time that `americanOption` takes, in microseconds. */
export function americanMicros(input: BlackScholesInput): number {
  if (input.volatility === 0 || input.maturity === 0) return 5
  const put = scaledPut(input)
  return WITH_CHANGES * exerciseMicros(put, put.time)
}

/** The time of a price with the changes of its boundary, in times of a price without them. */
const WITH_CHANGES = 1.45

/** The put of equal value in units of its strike: ln(S/K), and the time in units in which the variance of the log price is 1. */
export interface PutInUnits {
  readonly rate: number
  readonly dividendYield: number
  readonly logSpot: number
  readonly time: number
}

export function scaledPut(input: BlackScholesInput): PutInUnits {
  const { spot, strike, rate, dividendYield, volatility, maturity, type } = input
  const log = logRatio(spot, strike).high
  const time = volatility * (volatility * maturity)
  // A rate that underflows keeps its sign, which decides whether there is an exercise boundary.
  const scaled = (own: number) => own / volatility / volatility || Math.sign(own) * Number.MIN_VALUE
  const [own, other] = type === 'put' ? [rate, dividendYield] : [dividendYield, rate]
  return { rate: scaled(own), dividendYield: scaled(other), logSpot: type === 'put' ? log : -log, time }
}

/** Undefined where exercise is never optimal. */
export function regionOf(
  input: BlackScholesInput,
  horizon: number,
  isFine = false,
): ExerciseRegion | undefined {
  const { rate, dividendYield } = scaledPut(input)
  const region = exerciseRegion({ rate, dividendYield, isFine }, horizon)
  if (region === 'refused') throw beyondReach()
  return region
}

export function beyondReach(): DomainError {
  const reason =
    'The exercise boundary cannot be computed to the stated error at these values: {volatility} is too small or too large, or {maturity} too long, for these rates; boundaries can be computed where {volatility}²·{maturity} is at most 15 and ({rate} − {dividendYield} − {volatility}²/2)²·{maturity}/(2·{volatility}²) + |{rate}|·{maturity} at most 60'
  return new DomainError('volatility', reason, { isSentence: true })
}

function premiumSlopes(
  region: ExerciseRegion,
  prepared: (region: ExerciseRegion) => ExerciseRegion,
  { logSpot, time }: PutInUnits,
): Slopes | 'exercised' {
  const haveMet = region.end < time
  if (region.lower !== undefined && (haveMet || logSpot < logBoundary(region.lower, time))) {
    const { upper, lower, end } = prepared(region)
    return earnedBetween(upper, lower!, logSpot, time, end)
  }
  return logSpot > logBoundary(region.upper, time)
    ? earnedBelow(prepared(region).upper, logSpot, time)
    : 'exercised'
}

type EuropeanGreeks = Pick<BlackScholesGreeks, 'delta' | 'gamma' | 'theta' | 'vega' | 'rho'>

function withPremium(
  input: BlackScholesInput,
  europeanPrice: number,
  greeks: EuropeanGreeks,
  found: Slopes,
): AmericanOption {
  const { spot, strike, rate, dividendYield, volatility, type } = input
  const isCall = type === 'call'
  const unit = isCall ? spot : strike
  const ratio = isCall ? strike / spot : spot / strike
  const premium = unit * found.value
  const delta = isCall ? found.value - ratio * found.delta : found.delta
  const gamma = isCall ? (found.gamma * ratio * ratio) / spot : found.gamma / strike
  // Theta by the Black–Scholes equation; the square of the spot alone could overflow or underflow.
  const diffusion = 0.5 * volatility * spot * (volatility * spot * gamma)
  const theta = rate * premium - (rate - dividendYield) * spot * delta - diffusion
  return {
    price: europeanPrice + premium,
    europeanPrice,
    premium,
    delta: greeks.delta + delta,
    gamma: greeks.gamma + gamma,
    theta: greeks.theta + theta,
    ...(found.rates && rateGreeks(input, greeks, found.rates)),
  }
}

function rateGreeks(input: BlackScholesInput, greeks: EuropeanGreeks, premium: RateSlopes): RateGreeks {
  const { spot, strike, volatility, type } = input
  const unit = type === 'call' ? spot : strike
  const [own, other] = [premium.rate, premium.dividendYield].map(
    (slope) => (unit * (slope / volatility)) / volatility,
  )
  const [rho, dividendRho] = type === 'call' ? [other, own] : [own, other]
  return {
    vega: greeks.vega + unit * (premium.volatility / volatility),
    rho: greeks.rho + rho,
    dividendRho: dividendRhoOf(input, greeks.delta) + dividendRho,
  }
}

function exercisedOption(input: BlackScholesInput, europeanPrice: number): AmericanOption {
  const { spot, strike, rate, dividendYield, maturity, type } = input
  const isCall = type === 'call'
  const sign = isCall ? 1 : -1
  const price = sign * (spot - strike)
  // The payoff less the European price. Where they are nearly equal, put–call parity replaces the difference.
  const other = blackScholesPrice({ ...input, type: isCall ? 'put' : 'call' })
  const strikeHeld = strike * Math.expm1(-rate * maturity)
  const spotHeld = spot * Math.expm1(-dividendYield * maturity)
  const isNear = Math.max(Math.abs(strikeHeld), Math.abs(spotHeld), other) < price
  return {
    price,
    europeanPrice,
    premium: isNear ? sign * (strikeHeld - spotHeld) - other : price - europeanPrice,
    delta: sign,
    gamma: 0,
    theta: 0,
    ...NO_CHANGE,
  }
}

function certainOption(input: BlackScholesInput, europeanPrice: number): AmericanOption {
  const value = certainExercise(input)
  if (value.isWorthless && isAtKink(input)) return { price: 0, europeanPrice, premium: 0 }
  const { price, delta, gamma, theta, rho, dividendRho } = value
  return checked(input, {
    price,
    europeanPrice,
    premium: price - europeanPrice,
    delta,
    gamma,
    theta,
    vega: 0,
    rho,
    dividendRho,
  })
}

/** Whether spot and strike, now or at maturity, are equal where every payoff is 0. */
function isAtKink({ spot, strike, rate, dividendYield, maturity }: BlackScholesInput): boolean {
  const log = Math.log(spot / strike)
  return log === 0 || log + (rate - dividendYield) * maturity === 0
}

/**
 * Raises a price that rounding has left below the payoff or the European price. A derivative by volatility or rates that exceeds
 * every double is left out; the other values are refused.
 */
function checked(
  { spot, strike, type }: BlackScholesInput,
  { vega, rho, dividendRho, ...option }: AmericanOption,
): AmericanOption {
  for (const [name, value] of Object.entries(option))
    if (!Number.isFinite(value)) {
      const reason = `The ${name}, or an amount that it is computed from, is beyond the range of double precision at these values`
      throw new DomainError('maturity', reason, { isSentence: true })
    }
  const payoff = type === 'call' ? spot - strike : strike - spot
  return {
    ...option,
    price: Math.max(option.price, option.europeanPrice, payoff),
    premium: Math.max(option.premium, 0),
    ...(Number.isFinite(vega) && { vega }),
    ...(Number.isFinite(rho) && { rho }),
    ...(Number.isFinite(dividendRho) && { dividendRho }),
  }
}
