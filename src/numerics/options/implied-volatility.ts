/** The volatility at which an option has a given price under Black–Scholes–Merton. */
import { isDecimalDifference } from '../arithmetic/decimal.ts'
import type { DoubleDouble } from '../arithmetic/double-double.ts'
import { exactProduct, exactSum, powerOf, scaledBy } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import type { BlackScholesInput } from './black-scholes.ts'
import { impliedDeviation } from './implied-deviation.ts'
import { logMoneyness } from './log-moneyness.ts'
import { inOwnTime, type OwnTime } from './own-time.ts'
import {
  distanceFromLower,
  distanceFromUpper,
  type Leg,
  legOf,
  lowerBound,
  type Quote,
  roundingOf,
} from './price-bounds.ts'

export interface ImpliedVolatilityInput extends Omit<BlackScholesInput, 'volatility'> {
  /** In the currency of spot and strike, from the lower to below the upper no-arbitrage bound. */
  readonly price: number
}

/** Below this |x| the logarithm of the discounted amounts is more accurate than ln(S/K) + (r − q)T. */
const CLOSE = 2 ** -16
/** Where the deviation and |x|/64 are below this, x is computed in fixed-point arithmetic, which takes up to 0.4 ms. */
const NEEDS_EXACT = 2 ** -40
const LEAST = 1e-290
/** Smaller distances from the bounds have few digits. */
const LEAST_NORMAL = 2 ** -1022
/** Prices are scaled up to 2^SCALE, so that a distance from a bound may be the smallest part of them. */
const SCALE = 600

/**
 * σ with `blackScholes` equal to the price (Jäckel 2015, "Let's Be Rational": the value of the option out of the money, its
 * logarithm or that of its distance from the upper bound as objective, third-order steps).
 *
 * With c = price/(vega·σ), one rounding of the price changes σ by 2⁻⁵³·c of itself. The answer is the solution for the price as
 * it is given, with a relative error of at most 1e-13 + 2⁻⁷⁰·c: the time value of an option in the money is formed in
 * double-double precision, and its sign is exact.
 *
 * A price above the lower bound, by however little, has a volatility above 0. The bound itself gives 0; so does a price below it
 * by no more than rounding (of the price by 2⁻⁵¹ of itself, as of one that was computed, and of the others by 2⁻⁵³), and
 * one that, without rates, is spot less strike, or strike less spot, in decimals of at most 15 digits. Every price
 * below the upper bound is accepted.
 *
 * Throws DomainError outside the stated domain, where the price is below the lower bound by more than that or not below the
 * upper bound, and where the bounds or the volatility are beyond the range of doubles.
 */
export function impliedVolatility(input: ImpliedVolatilityInput): number {
  const { spot, strike, rate, maturity, dividendYield, type } = input
  if (!(input.price >= 0)) throw new DomainError('price', 'must not be below 0')
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(maturity > 0)) throw new DomainError('maturity', 'must be greater than 0')
  const isCall = type === 'call'
  const power = Math.max(SCALE - powerOf(Math.max(spot, strike)), 0)
  const price = scaledBy(input.price, power)
  const own = inOwnTime(rate, dividendYield, maturity)
  const spotLeg = legOf(scaledBy(spot, power), dividendYield, exactProduct(-own.dividendYield, own.time))
  const strikeLeg = legOf(scaledBy(strike, power), rate, exactProduct(-own.rate, own.time))
  const [upper, other] = isCall ? [spotLeg, strikeLeg] : [strikeLeg, spotLeg]
  const x = moneyness(
    own,
    spotLeg,
    strikeLeg,
    (price - Math.max(upper.now.high - other.now.high, 0)) / upper.now.high,
  )
  const isInTheMoney = isCall ? x.high > 0 : x.high < 0
  const timeValue = isInTheMoney
    ? timeValueInTheMoney(input, { price, maturity, x, more: upper, less: other }, power)
    : price
  if (!Number.isFinite(x.high)) throw beyondRange()
  if (timeValue === 0) return 0
  const complement = -distanceFromUpper(price, maturity, upper)
  if (complement <= 0)
    throw new DomainError(
      'price',
      `must be below ${scaledBy(upper.now.high, -power)}, the upper no-arbitrage bound (discounted ${isCall ? '{spot}' : '{strike}'}), which only an infinite volatility reaches`,
    )
  if (complement < LEAST_NORMAL || (isInTheMoney && timeValue < LEAST_NORMAL)) throw beyondRange()
  const { amount, decay } = x.high < 0 ? spotLeg : strikeLeg
  const deviation = impliedDeviation({ x: x.high, amount, decay, timeValue, complement })
  const volatility = scaledBy(deviation / Math.sqrt(own.time), -own.half)
  if (!(deviation > LEAST && volatility > LEAST && volatility < Number.POSITIVE_INFINITY)) throw beyondRange()
  return volatility
}

/** The price less the lower bound, or 0 where the price counts as equal to it. */
function timeValueInTheMoney(input: ImpliedVolatilityInput, quote: Quote, power: number): number {
  const lower = lowerBound(quote)
  if (!(lower.high < Number.POSITIVE_INFINITY)) throw beyondRange()
  const timeValue = distanceFromLower(quote, lower)
  const rounding = roundingOf(quote) + scaledBy(Number.MIN_VALUE, power)
  if (timeValue > rounding) return timeValue
  if (timeValue < -rounding)
    throw new DomainError(
      'price',
      `must not be below ${scaledBy(lower.high, -power)}, the lower no-arbitrage bound (discounted payoff of the forward), by more than rounding`,
    )
  return timeValue <= 0 || isLowerBoundInDecimals(input) ? 0 : timeValue
}

/** Whether, without rates, the price is the lower bound in the decimals in which the numbers are written. */
function isLowerBoundInDecimals(input: ImpliedVolatilityInput): boolean {
  const { price, spot, strike, rate, dividendYield } = input
  return (
    rate === 0 &&
    dividendYield === 0 &&
    isDecimalDifference(Math.max(spot, strike), Math.min(spot, strike), price)
  )
}

/**
 * x = ln(S/K) + (r − q)T with an error below 2⁻⁵³ of max(|x|, deviation).
 * @param share about the time value as a share of the upper bound; a deviation is at least 2.5 times as large
 */
function moneyness(
  { rate, dividendYield, time }: OwnTime,
  spot: Leg,
  strike: Leg,
  share: number,
): DoubleDouble {
  const [s, k] = [spot.amount, strike.amount]
  // A deviation of 1 keeps `logMoneyness` from fixed-point arithmetic.
  const option = { spot: s, strike: k, rate, dividendYield, maturity: time }
  const x = logMoneyness(option, 1)
  if (s === k || !(Math.abs(x.high) < CLOSE)) return x
  const deviation = 2 * Math.max(share, 0)
  if (Math.max(deviation, Math.abs(x.high) / 64) < NEEDS_EXACT) return logMoneyness(option, deviation)
  // ln(a/b) = ρ + ρ³/12 + … for ρ = 2(a − b)/(a + b).
  const [a, b] = [spot.now, strike.now]
  const above = exactSum(a, { high: -b.high, low: -b.low })
  const sum = exactSum(a, b)
  const below = { high: 0.5 * sum.high, low: 0.5 * sum.low }
  const ratio = above.high / below.high
  const product = exactProduct(ratio, below.high)
  const rest = above.high - product.high - product.low + above.low - ratio * below.low
  return exactSum({ high: ratio, low: 0 }, { high: rest / below.high + ratio ** 3 / 12, low: 0 })
}

const beyondRange = () =>
  new DomainError(
    'price',
    'The no-arbitrage bounds or the implied volatility are beyond the range of double precision at these values',
    { isSentence: true },
  )
