/** The volatility at which an option has a given price under Black–Scholes–Merton. */
import { type DoubleDouble, zeroIfNaN } from '../arithmetic/double-double.ts'
import { preciseExponential } from '../arithmetic/precise-exponential.ts'
import { exactProduct, exactSum } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import { type BlackScholesInput, blackScholesPrice } from './black-scholes.ts'
import { impliedDeviation } from './implied-deviation.ts'
import { logMoneyness } from './log-moneyness.ts'

export interface ImpliedVolatilityInput extends Omit<BlackScholesInput, 'volatility'> {
  /** In the currency of spot and strike, from the lower to below the upper no-arbitrage bound. */
  readonly price: number
}

/** Below this |x| the logarithm of the discounted amounts is more accurate than ln(S/K) + (r − q)T. */
const CLOSE = 2 ** -16
/** Below this |x| their difference is less accurate than |x| itself. */
const NEAR = 2 ** -30
/** Below this deviation, and |x|/64, x is needed in fixed-point arithmetic, which takes up to 0.4 ms. */
const NEEDS_EXACT = 2 ** -40
const LEAST = 1e-290
const UNIT = 2 ** -53

/**
 * σ with `blackScholes` equal to the price (Jäckel 2015, "Let's Be Rational": the value of the option out of the money, its
 * logarithm or that of its distance from the upper bound as objective, third-order steps).
 *
 * With c = price/(vega·σ), one rounding of the price changes σ by 2⁻⁵³·c of itself. The answer is the solution for the price as
 * it is given, with a relative error of at most 1e-13 + 2⁻⁷⁰·c: the time value of an option in the money is formed in
 * double-double precision. A price equal to that of volatility 0 gives 0.
 *
 * Throws DomainError outside the stated domain and where price is below the lower or not below the upper bound.
 */
export function impliedVolatility(input: ImpliedVolatilityInput): number {
  const { price, spot, strike, rate, maturity, dividendYield, type } = input
  if (!(price >= 0)) throw new DomainError('price', 'must not be below 0')
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(maturity > 0)) throw new DomainError('maturity', 'must be greater than 0')
  const isCall = type === 'call'
  const spotDecay = exactProduct(-dividendYield, maturity)
  const strikeDecay = exactProduct(-rate, maturity)
  const spotNow = discounted(spot, spotDecay)
  const strikeNow = discounted(strike, strikeDecay)
  const upper = isCall ? spotNow : strikeNow
  const rough = Math.max(isCall ? spotNow.high - strikeNow.high : strikeNow.high - spotNow.high, 0)
  // A deviation s is at least 2.5 times the time value's share of the upper bound.
  const deviationFloor = (2 * Math.max(price - rough, 0)) / upper.high
  const x = moneyness(input, spotNow, strikeNow, deviationFloor)
  const isInTheMoney = isCall ? x.high > 0 : x.high < 0
  const lower = isInTheMoney ? forward(x, spotNow, strikeNow) : { high: 0, low: 0 }
  if (!(Number.isFinite(x.high) && lower.high < Number.POSITIVE_INFINITY)) throw beyondRange()

  const timeValue = difference(price, lower)
  if (timeValue <= 4 * UNIT * price) {
    if (price === blackScholesPrice(isCall, spot, strike, rate, 0, maturity, dividendYield)) return 0
    if (timeValue <= 0)
      throw new DomainError(
        'price',
        `must not be below ${lower.high}, the lower no-arbitrage bound (discounted payoff of the forward)`,
      )
  }
  if (price >= upper.high)
    throw new DomainError(
      'price',
      `must be below ${upper.high}, the upper no-arbitrage bound (discounted ${isCall ? '{spot}' : '{strike}'}), which only an infinite volatility reaches`,
    )
  const deviation = impliedDeviation({
    x: x.high,
    amount: x.high < 0 ? spot : strike,
    decay: x.high < 0 ? spotDecay : strikeDecay,
    timeValue,
    complement: -difference(price, upper),
  })
  const volatility = deviation / Math.sqrt(maturity)
  if (!(deviation > LEAST && volatility > LEAST && volatility < Number.POSITIVE_INFINITY)) throw beyondRange()
  return volatility
}

/** amount·exp(decay), infinite or 0 where that is out of range. */
function discounted(amount: number, decay: DoubleDouble): DoubleDouble {
  if (decay.high < -1500) return { high: 0, low: 0 }
  if (decay.high > 1500) return { high: Number.POSITIVE_INFINITY, low: 0 }
  const value = preciseExponential(amount, decay)
  return { high: value.high, low: zeroIfNaN(value.low) }
}

/** x = ln(S/K) + (r − q)T with an error below 2⁻⁵³ of max(|x|, deviation). */
function moneyness(
  { spot, strike, rate, dividendYield, maturity }: ImpliedVolatilityInput,
  spotNow: DoubleDouble,
  strikeNow: DoubleDouble,
  deviation: number,
): DoubleDouble {
  // A deviation of 1 keeps it from fixed-point arithmetic.
  const x = logMoneyness(spot, strike, rate, dividendYield, maturity, 1)
  if (spot === strike || !(Math.abs(x.high) < CLOSE)) return x
  if (Math.max(deviation, Math.abs(x.high) / 64) < NEEDS_EXACT)
    return logMoneyness(spot, strike, rate, dividendYield, maturity, deviation)
  // ln(a/b) = ρ + ρ³/12 + … for ρ = 2(a − b)/(a + b).
  const above = exactSum(spotNow, { high: -strikeNow.high, low: -strikeNow.low })
  const sum = exactSum(spotNow, strikeNow)
  const below = { high: 0.5 * sum.high, low: 0.5 * sum.low }
  const ratio = above.high / below.high
  const product = exactProduct(ratio, below.high)
  const rest = above.high - product.high - product.low + above.low - ratio * below.low
  return exactSum({ high: ratio, low: 0 }, { high: rest / below.high + ratio ** 3 / 12, low: 0 })
}

/** |S·exp(−qT) − K·exp(−rT)|. */
function forward(x: DoubleDouble, spotNow: DoubleDouble, strikeNow: DoubleDouble): DoubleDouble {
  const [more, less] = x.high > 0 ? [spotNow, strikeNow] : [strikeNow, spotNow]
  const size = Math.abs(x.high)
  if (size >= NEAR) return exactSum(more, { high: -less.high, low: -less.low })
  const growth = exactSum({ high: size, low: x.high < 0 ? -x.low : x.low }, exactProduct(0.5 * size, size))
  const high = exactProduct(less.high, growth.high)
  return exactSum(high, { high: less.high * (growth.low + size ** 3 / 6) + less.low * growth.high, low: 0 })
}

const difference = (price: number, bound: DoubleDouble) =>
  exactSum({ high: price, low: 0 }, { high: -bound.high, low: -bound.low }).high

const beyondRange = () =>
  new DomainError(
    'price',
    'The no-arbitrage bounds or the implied volatility are beyond the range of double precision at these values',
    { isSentence: true },
  )
