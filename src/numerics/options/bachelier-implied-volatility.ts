/** The volatility at which an option on a forward has a given price under Bachelier's model. */

import { isDecimalDifference } from '../arithmetic/decimal.ts'
import { type DoubleDouble, zeroIfNaN } from '../arithmetic/double-double.ts'
import { preciseExponential } from '../arithmetic/precise-exponential.ts'
import {
  exactProduct,
  exactSum,
  logOfProduct,
  powerOf,
  scaledBy,
  scaledProduct,
} from '../arithmetic/scaled-product.ts'
import { spend } from '../budget.ts'
import { DomainError } from '../domain-error.ts'
import { type BachelierInput, excessOf } from './bachelier.ts'
import { exactGap } from './exact-gap.ts'
import { millsRatio, millsSlope, NORMAL_PEAK } from './mills-ratio.ts'
import { inOwnTime } from './own-time.ts'
import { COMPUTED } from './price-bounds.ts'

export interface BachelierQuote extends Omit<BachelierInput, 'volatility'> {
  /** Price in the unit of the forward, not below the discounted payoff. */
  readonly price: number
}

/** Prices are scaled up to 2^SCALE, so that a distance from the bound may be the smallest part of them. */
const SCALE = 600
/** A time value below this share of the bound is computed in fixed-point arithmetic. */
const UNDECIDED = 2 ** -90
const UNIT = 2 ** -53
const NONE: DoubleDouble = { high: 0, low: 0 }
const LEAST_NORMAL = 2 ** -1022
/** At a time value e^40 times the distance of the forward from the strike, that distance no longer counts. */
const AT_THE_MONEY = 40
/** Four steps are the most that were seen. */
const MOST_STEPS = 40
/** The time of a step, in microseconds. */
const STEP_MICROS = 0.5
/** A step below this share of y is the last one: the next would be about its third power. */
const LAST_STEP = 2 ** -19

/**
 * σ with `bachelier` equal to the price: the solution for the price as it is given, with a relative error of at most 4e-15 +
 * 2⁻⁷⁰·c for c = price/(vega·σ). Every price above the discounted payoff, by however little, has one; a price below that bound
 * only by rounding (of the price by 2⁻⁵¹ of itself, as of one that was computed, and of the others by 2⁻⁵³), and
 * one that is the bound in decimals without a rate, gives 0.
 *
 * Throws DomainError outside the stated domain, where the price is below its bound by more than that, and where the bound or
 * the volatility is beyond the range of doubles.
 */
export function bachelierImpliedVolatility(quote: BachelierQuote): number {
  if (!(quote.price >= 0)) throw new DomainError('price', 'must not be below 0')
  if (!(quote.maturity > 0)) throw new DomainError('maturity', 'must be greater than 0')
  const { maturity, type } = quote
  const largest = Math.max(Math.abs(quote.forward), Math.abs(quote.strike), quote.price)
  const power = Math.max(SCALE - powerOf(largest), 0)
  const [forward, strike, price] = [quote.forward, quote.strike, quote.price].map((amount) =>
    scaledBy(amount, power),
  )
  const own = inOwnTime(quote.rate, 0, maturity)
  const decay = exactProduct(-own.rate, own.time)
  const growth = { high: -decay.high, low: -decay.low }
  const { high, low, unit } = excessOf(forward, strike)
  const size = high < 0 ? { high: -high, low: -low } : { high, low }
  const isInTheMoney = type === 'call' ? high > 0 : high < 0
  const timeValue = isInTheMoney
    ? timeValueInTheMoney({ ...quote, forward, strike, price }, size, unit, decay, power)
    : price
  if (timeValue === 0) return 0
  const root = Math.sqrt(maturity)
  const scale = [2 ** -Math.floor(power / 2), 2 ** -Math.ceil(power / 2)]
  const length = logOfProduct(growth, [timeValue, unit], [size.high])
  const y = length < AT_THE_MONEY ? distance(size.high / unit, timeValue, growth, length) : 0
  const found =
    y === 0
      ? scaledProduct(growth, [timeValue, ...scale], [NORMAL_PEAK, root])
      : scaledProduct(NONE, [size.high, ...scale], [unit, y, root]) * (1 + size.low / size.high)
  if (!(found >= LEAST_NORMAL && found < Number.POSITIVE_INFINITY)) throw beyondRange()
  return found
}

/** The price less the discounted payoff, or 0 where the price counts as equal to it. All amounts are multiplied by 2^power. */
function timeValueInTheMoney(
  quote: BachelierQuote,
  size: DoubleDouble,
  unit: number,
  decay: DoubleDouble,
  power: number,
): number {
  const { forward, strike, rate, maturity, price } = quote
  const lower = rate === 0 ? { high: size.high / unit, low: size.low / unit } : discounted(size, unit, decay)
  if (!(lower.high < Number.POSITIVE_INFINITY)) throw beyondRange()
  let timeValue = exactSum({ high: price, low: 0 }, { high: -lower.high, low: -lower.low }).high
  if (rate !== 0 && Math.abs(timeValue) <= UNDECIDED * lower.high) {
    const [more, less] = [Math.max(forward, strike), Math.min(forward, strike)]
    timeValue = exactGap(price, maturity, { amount: more, rate }, { amount: less, rate })
  }
  const legs = discounted({ high: Math.abs(forward) / 2 + Math.abs(strike) / 2, low: 0 }, 0.5, decay).high
  const rounding =
    COMPUTED * price + UNIT * legs * (1 + 2 * Math.abs(decay.high)) + scaledBy(Number.MIN_VALUE, power)
  if (timeValue > rounding) return timeValue
  if (timeValue < -rounding)
    throw new DomainError(
      'price',
      `must not be below ${scaledBy(lower.high, -power)}, the lower no-arbitrage bound (discounted payoff of the forward), by more than rounding`,
    )
  if (timeValue <= 0) return 0
  const isBoundInDecimals =
    rate === 0 &&
    isDecimalDifference(
      ...([Math.max(forward, strike), Math.min(forward, strike), price].map((amount) =>
        scaledBy(amount, -power),
      ) as [number, number, number]),
    )
  return isBoundInDecimals ? 0 : timeValue
}

/** (high + low)·exp(decay)/unit. */
function discounted({ high, low }: DoubleDouble, unit: number, decay: DoubleDouble): DoubleDouble {
  if (decay.high < -1500) return { high: 0, low: 0 }
  if (decay.high > 1500) return { high: Number.POSITIVE_INFINITY, low: 0 }
  const value = preciseExponential(high, decay)
  const rest = zeroIfNaN(value.low + value.high * (low / high))
  return exactSum({ high: value.high / unit, low: 0 }, { high: rest / unit, low: 0 })
}

/**
 * y > 0 at which size·φ(y)·[1 − y·R(y)]/y is timeValue·exp(growth), by Halley's steps for its logarithm, whose derivative by y is
 * −1/(y·[1 − y·R(y)]). An absolute error of that logarithm causes at most as large a relative error of y.
 * @param length the logarithm of timeValue·exp(growth)/size
 */
function distance(size: number, timeValue: number, growth: DoubleDouble, length: number): number {
  let y = firstDistance(length)
  for (let step = 0; step < MOST_STEPS; step++) {
    spend(STEP_MICROS)
    const slope = millsSlope(y)
    const square = exactProduct(-0.5 * y, y)
    const exponent = exactSum(square, { high: -growth.high, low: -growth.low })
    const excess = logOfProduct(exponent, [NORMAL_PEAK, slope, size], [y, timeValue])
    const bend = slope + y * (y * slope - millsRatio(y))
    const change = (excess * slope) / Math.max(1 - 0.5 * excess * bend, 0.25)
    const next = y * Math.min(Math.max(1 + change, 0.25), 4)
    if (Math.abs(change) < LAST_STEP) return next
    y = next
  }
  return Number.NaN
}

/** A first guess of y, from φ(0) − y/2 for small y and Laplace's φ(y)/y² for large y. */
function firstDistance(length: number): number {
  if (length > -2.5) return NORMAL_PEAK / (Math.exp(length) + 0.5)
  const square = -2 * length
  return Math.sqrt(square) - (1.5 * Math.log(square) - Math.log(NORMAL_PEAK)) / Math.sqrt(square)
}

const beyondRange = () =>
  new DomainError(
    'price',
    'The no-arbitrage bound or the implied volatility is beyond the range of double precision at these values',
    { isSentence: true },
  )
