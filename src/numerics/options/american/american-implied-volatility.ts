/** The volatility at which an American option has a given price under Black–Scholes–Merton. */
import { DomainError } from '../../domain-error.ts'
import type { BlackScholesInput } from '../black-scholes.ts'
import { impliedVolatility } from '../implied-volatility.ts'
import { americanOption } from './american-option.ts'
import { certainExercise } from './certain-exercise.ts'

export interface AmericanQuote extends Omit<BlackScholesInput, 'volatility'> {
  readonly price: number
}

const MOST_STEPS = 80
/** A secant that moves the volatility by less, in shares of it, is the last: the error is then far smaller. */
const TOLERANCE = 1e-10
/** A price this close to the least counts as it: about two roundings. */
const ROUNDING = 2 ** -51

/**
 * σ with `americanOption` of that price, by secants between bounds that close in. The least price, that without volatility,
 * gives 0: also an exercised option has it, at every volatility up to where it is held. With c = price/(vega·σ) the relative
 * error is below 1e-10·c. Throws DomainError outside the stated domain, where the price is below the least or not below the
 * largest, and where the American price near the answer cannot be computed.
 */
export function americanImpliedVolatility(quote: AmericanQuote): number {
  const { price, spot, strike, rate, maturity, dividendYield, type } = quote
  if (!(price >= 0)) throw new DomainError('price', 'must not be below 0')
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(maturity > 0)) throw new DomainError('maturity', 'must be greater than 0')
  const isCall = type === 'call'
  const least = certainExercise({ isCall, spot, strike, rate, dividendYield, maturity }).price
  const [amount, own] = isCall ? [spot, dividendYield] : [strike, rate]
  const most = amount * Math.max(1, Math.exp(-own * maturity))
  if (!(least < Number.POSITIVE_INFINITY && most < Number.POSITIVE_INFINITY)) throw beyondReach()
  const rounding = ROUNDING * (spot + strike)
  if (price < least - rounding)
    throw new DomainError(
      'price',
      `must not be below ${least}, the largest discounted payoff without volatility`,
    )
  if (!(price < most))
    throw new DomainError('price', `must be below ${most}, which only an infinite volatility reaches`)
  if (price <= least + (least > 0 ? rounding : 0)) return 0
  return search((volatility) => excess(quote, volatility), firstAbove(quote))
}

/** The European option's, which is worth no more; or at least a large one. */
function firstAbove(quote: AmericanQuote): number {
  try {
    const found = impliedVolatility(quote)
    if (found > 0) return found
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
  return 1 / Math.sqrt(quote.maturity)
}

/** ln of the American price over the quote; −∞ where it cannot be computed. */
function excess(quote: AmericanQuote, volatility: number): number {
  try {
    return Math.log(americanOption({ ...quote, volatility }).price / quote.price)
  } catch (error) {
    if (error instanceof DomainError) return Number.NEGATIVE_INFINITY
    throw error
  }
}

/** The root of an increasing function, by secants through the last two points, and by halving where they do not close in. */
function search(excessAt: (volatility: number) => number, first: number): number {
  let [low, high, here, atLow] = [0, first, first, 0]
  let atHere = excessAt(here)
  while (atHere < 0) {
    low = here
    atLow = atHere
    here *= 2
    high = here
    atHere = excessAt(here)
    if (here > 1e6 * first || atHere === Number.NEGATIVE_INFINITY) throw beyondReach()
  }
  let before = here
  let atBefore = atHere
  here = high * (1 - Math.min(0.5, Math.max(1e-4, atHere)))
  for (let count = 0; count < MOST_STEPS; count++) {
    if (!(here > low && here < high)) here = 0.5 * (low + high)
    atHere = excessAt(here)
    if (atHere > 0) high = here
    else [low, atLow] = [here, atHere]
    // Through a point without a value it would not move, as if it were close.
    const secant =
      here - (atHere * (here - before)) / (Number.isFinite(atBefore) ? atHere - atBefore : Number.NaN)
    const isClose = Math.abs(secant - here) <= TOLERANCE * here
    if (atHere === 0 || isClose) return isClose ? secant : here
    if (high - low <= 4 * ROUNDING * high) return reached(here, atHere + atLow)
    // From a point that has no value, and after many steps, the interval is halved.
    const isHalved = !Number.isFinite(secant) || (count > 20 && count % 2 === 0)
    before = here
    atBefore = atHere
    here = isHalved ? 0.5 * (low + high) : secant
  }
  return reached(here, atHere + atLow)
}

/** @param excess not finite: beside the answer the price has no value, so that it may be the edge of those that have one */
function reached(volatility: number, excess: number): number {
  if (!Number.isFinite(excess)) throw beyondReach()
  return volatility
}

const beyondReach = () =>
  new DomainError(
    'price',
    'The American price cannot be computed to its stated error at a volatility of this price: it is too small or too large for these rates and maturity',
    { isSentence: true },
  )
