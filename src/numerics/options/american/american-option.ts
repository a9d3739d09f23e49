/** Price and Greeks of an American option under Black–Scholes–Merton, by the integral over its exercise boundary. */
import { logRatio } from '../../arithmetic/log-ratio.ts'
import { DomainError } from '../../domain-error.ts'
import { type BlackScholesInput, blackScholes, blackScholesPrice, refuseOutside } from '../black-scholes.ts'
import { blackScholesGreeks } from '../black-scholes-greeks.ts'
import { certainExercise } from './certain-exercise.ts'
import { earnedBelow, earnedBetween } from './early-exercise.ts'
import { logBoundary } from './exercise-boundary.ts'
import { type ExerciseRegion, exerciseMicros, exerciseRegion, mostEarnedBefore } from './exercise-region.ts'
import { isPerpetual, isWorthless, perpetualBoundary, perpetualSlopes } from './perpetual-put.ts'
import type { Slopes } from './scaled-put.ts'

export interface AmericanOption {
  readonly price: number
  readonly europeanPrice: number
  /** The price less that of the European option, computed without a difference of the two. */
  readonly premium: number
  /** The Greeks are absent where they do not exist, at the kink of a payoff without uncertainty. */
  readonly delta?: number
  readonly gamma?: number
  /** −∂V/∂T. */
  readonly theta?: number
}

/**
 * The value of the right to exercise at any time up to maturity: the European price plus the integral of the income from exercise
 * (Kim 1990, eq. 10) within the boundary of `exerciseRegion`. A call is the put with spot and strike, rate and yield exchanged
 * (McDonald & Schroder 1998). The relative error of the price is below 1e-10, that of the premium below 1e-8 or 1e-10 of the
 * price.
 *
 * Throws DomainError outside the stated domain, and where the boundary cannot be computed to that error: beyond about ten
 * standard deviations of drift, or at parameters of extreme size.
 */
export function americanOption(input: BlackScholesInput): AmericanOption {
  refuseOutside(input)
  const europeanPrice = blackScholes(input)
  const { volatility, maturity } = input
  if (volatility === 0 || maturity === 0) return certainOption(input, europeanPrice)
  const put = scaledPut(input)
  if (isWorthless(put, put.logSpot, input.type === 'put' ? input.strike : input.spot))
    return { price: europeanPrice, europeanPrice, premium: 0, delta: 0, gamma: 0, theta: 0 }
  if (isPerpetual(put, put.logSpot, put.time))
    return checked(input, perpetualOption(input, put, europeanPrice))
  const region = regionOf(input, put.time)
  const found = region && premiumSlopes(region, put.logSpot, put.time)
  if (region?.known !== undefined && found === 'exercised') {
    // Beyond `known` the boundary falls on, at most to that of the perpetual put.
    if (!(put.logSpot <= Math.log(perpetualBoundary(put)))) throw beyondReach()
  } else if (region?.known !== undefined) {
    const value = europeanPrice / (input.type === 'put' ? input.strike : input.spot)
    if (!(mostEarnedBefore(region, put.logSpot, put.time) < NEGLIGIBLE * value)) throw beyondReach()
  }
  if (found === 'exercised') return checked(input, exercisedOption(input, europeanPrice))
  const greeks = blackScholesGreeks(input)
  if (found === undefined)
    return checked(input, {
      price: europeanPrice,
      europeanPrice,
      premium: 0,
      delta: greeks.delta,
      gamma: greeks.gamma,
      theta: greeks.theta,
    })
  return checked(input, withPremium(input, europeanPrice, greeks, found))
}

/** The part of a price that exercise at times without a known boundary may be worth. */
const NEGLIGIBLE = 1e-11

/** The price and Greeks of a put that is exercised at once, or almost surely before maturity. */
function perpetualOption(input: BlackScholesInput, put: PutInUnits, europeanPrice: number): AmericanOption {
  const slopes = perpetualSlopes(put, put.logSpot)
  if (slopes === 'exercised') return exercisedOption(input, europeanPrice)
  const { price, delta, gamma } = withPremium(input, 0, { delta: 0, gamma: 0, theta: 0 }, slopes)
  return { price, europeanPrice, premium: price - europeanPrice, delta, gamma, theta: 0 }
}

/** An estimate of the time that `americanOption` takes, in microseconds. */
export function americanMicros(input: BlackScholesInput): number {
  if (input.volatility === 0 || input.maturity === 0) return 5
  const put = scaledPut(input)
  return exerciseMicros(put, put.time)
}

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
    'The exercise boundary cannot be computed to the stated error at these values: {volatility} is too small or too large, or {maturity} too long, for these rates; boundaries can be computed, except at a rate between 0 and 1e-4 a year with a yield just below 0 (calls: the reverse), where {volatility}²·{maturity} is at most 15 and ({rate} − {dividendYield} − {volatility}²/2)²·{maturity}/(2·{volatility}²) + |{rate}|·{maturity} at most 60'
  return new DomainError('volatility', reason, { isSentence: true })
}

function premiumSlopes(region: ExerciseRegion, logSpot: number, time: number): Slopes | 'exercised' {
  const { upper, lower, end } = region
  const haveMet = end < time
  if (lower !== undefined && (haveMet || logSpot < logBoundary(lower, time)))
    return earnedBetween(upper, lower, logSpot, time, end)
  return logSpot > logBoundary(upper, time) ? earnedBelow(upper, logSpot, time) : 'exercised'
}

function withPremium(
  input: BlackScholesInput,
  europeanPrice: number,
  greeks: { readonly delta: number; readonly gamma: number; readonly theta: number },
  found: Slopes,
): Required<AmericanOption> {
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
  }
}

function certainOption(input: BlackScholesInput, europeanPrice: number): AmericanOption {
  const value = certainExercise(input)
  if (value.isWorthless && isAtKink(input)) return { price: 0, europeanPrice, premium: 0 }
  const { price, delta, gamma, theta } = value
  return checked(input, {
    price,
    europeanPrice,
    premium: price - europeanPrice,
    delta,
    gamma,
    theta,
  })
}

/** Whether spot and strike, now or at maturity, are equal where every payoff is 0. */
function isAtKink({ spot, strike, rate, dividendYield, maturity }: BlackScholesInput): boolean {
  const log = Math.log(spot / strike)
  return log === 0 || log + (rate - dividendYield) * maturity === 0
}

/** Raises a price that rounding has left below the payoff or the European price. */
function checked({ spot, strike, type }: BlackScholesInput, option: AmericanOption): AmericanOption {
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
  }
}
