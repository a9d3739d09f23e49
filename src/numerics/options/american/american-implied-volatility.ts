/** The volatility at which an American option has a given price under Black–Scholes–Merton. */
import { DomainError } from '../../domain-error.ts'
import type { BlackScholesInput } from '../black-scholes.ts'
import { impliedVolatility } from '../implied-volatility.ts'
import { americanPrice } from './american-option.ts'
import { certainExercise } from './certain-exercise.ts'

export interface AmericanQuote extends Omit<BlackScholesInput, 'volatility'> {
  readonly price: number
}

const MOST_STEPS = 80
/** Volatilities without a computable price after which the search ends: of 3,000 quotes that have an answer none met more than one. */
const MOST_GAPS = 4
/** The search ends after a secant step that is smaller relative to the volatility; the error is then far smaller still. */
const TOLERANCE = 1e-10
/** A price within this relative distance of the least price, about two roundings, counts as equal to it. */
const ROUNDING = 2 ** -51

/**
 * The σ for which `americanPrice` has the given price, by the secant method within a bracket. The least price, that at
 * volatility 0, gives 0; an option that should be exercised has this price at every volatility up to some point. With
 * c = price/(vega·σ) the relative error is below 1e-10·c. Throws DomainError outside the stated domain, where the price is below
 * the least or not below the largest, and where the American price near the answer cannot be computed.
 */
export function americanImpliedVolatility(quote: AmericanQuote): number {
  const { price, spot, strike, rate, maturity, dividendYield, type } = quote
  if (!(price >= 0)) throw new DomainError('price', 'must not be below 0')
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(maturity > 0)) throw new DomainError('maturity', 'must be greater than 0')
  const isCall = type === 'call'
  const least = certainExercise(quote).price
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

/** An upper bound to begin with: the European implied volatility, because a European option is worth no more; or a large one. */
function firstAbove(quote: AmericanQuote): number {
  try {
    const found = impliedVolatility(quote)
    if (found > 0) return found
  } catch (error) {
    if (!(error instanceof DomainError)) throw error
  }
  return 1 / Math.sqrt(quote.maturity)
}

/** ln(American price/quote); −∞: the price cannot be computed. */
function excess(quote: AmericanQuote, volatility: number): number {
  try {
    return Math.log(americanPrice({ ...quote, volatility }).price / quote.price)
  } catch (error) {
    if (error instanceof DomainError) return Number.NEGATIVE_INFINITY
    throw error
  }
}

/** The root of an increasing function, by secants through the last two points, and by bisection where these converge slowly. */
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
  let gaps = 0
  for (let count = 0; count < MOST_STEPS; count++) {
    if (!(here > low && here < high)) here = 0.5 * (low + high)
    atHere = excessAt(here)
    if (atHere === Number.NEGATIVE_INFINITY && ++gaps === MOST_GAPS) throw beyondReach()
    if (atHere > 0) high = here
    else [low, atLow] = [here, atHere]
    // A secant through a point without a value would have length 0 and pass for convergence.
    const secant =
      here - (atHere * (here - before)) / (Number.isFinite(atBefore) ? atHere - atBefore : Number.NaN)
    const isClose = Math.abs(secant - here) <= TOLERANCE * here
    if (atHere === 0 || isClose) return isClose ? secant : here
    if (high - low <= 4 * ROUNDING * high) return reached(here, atHere + atLow)
    // Bisection follows a point without a value, and alternates with secants after many steps.
    const isHalved = !Number.isFinite(secant) || (count > 20 && count % 2 === 0)
    before = here
    atBefore = atHere
    here = isHalved ? 0.5 * (low + high) : secant
  }
  return reached(here, atHere + atLow)
}

/** @param excess not finite: no price could be computed next to the answer, which may be the edge of computable volatilities */
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
