/** The no-arbitrage bounds of an option's price, and a price's distances from them, whose sign is right however small they are. */
import { type DoubleDouble, zeroIfNaN } from '../arithmetic/double-double.ts'
import { preciseExponential } from '../arithmetic/precise-exponential.ts'
import { exactProduct, exactSum } from '../arithmetic/scaled-product.ts'
import { exactGap } from './exact-gap.ts'

/** What one side of the option delivers: the spot, discounted at the dividend yield, or the strike, discounted at the rate. */
export interface Leg {
  readonly amount: number
  readonly rate: number
  /** −rate·maturity. */
  readonly decay: DoubleDouble
  /** The discounted amount, amount·exp(decay); 0 or infinite where that is out of the range of doubles. */
  readonly now: DoubleDouble
}

export interface Quote {
  readonly price: number
  readonly maturity: number
  /** ln(S/K) + (r − q)T. */
  readonly x: DoubleDouble
  /** The leg that is worth more: the spot for x > 0. */
  readonly more: Leg
  readonly less: Leg
}

/** Below this |x| the difference of the discounted amounts is less accurate than |x| itself. */
const NEAR = 2 ** -30
/** A distance below this share of the larger discounted amount is computed in fixed-point arithmetic. */
const UNDECIDED = 2 ** -90
/** The same for a share of a lower bound that is computed from x, where |x| is below NEAR. */
const UNDECIDED_NEAR = 2 ** -66
/** So is any distance below this: values near the smallest normal double have few digits. */
const LEAST = 2 ** -960
const UNIT = 2 ** -53

export function legOf(amount: number, rate: number, decay: DoubleDouble): Leg {
  return { amount, rate, decay, now: discounted(amount, decay) }
}

/** The lower bound of the option in the money: the larger discounted amount less the smaller. */
export function lowerBound({ x, more, less }: Quote): DoubleDouble {
  const size = Math.abs(x.high)
  if (size >= NEAR || areExact(more, less))
    return exactSum(more.now, { high: -less.now.high, low: -less.now.low })
  const growth = exactSum({ high: size, low: x.high < 0 ? -x.low : x.low }, exactProduct(0.5 * size, size))
  const base = less.now
  const high = exactProduct(base.high, growth.high)
  return exactSum(high, { high: base.high * (growth.low + size ** 3 / 6) + base.low * growth.high, low: 0 })
}

/** The price less the lower bound of the option in the money. */
export function distanceFromLower(quote: Quote, lower: DoubleDouble): number {
  const { price, maturity, x, more, less } = quote
  const distance = difference(price, lower)
  if (areExact(more, less)) return distance
  const near = Math.abs(x.high) < NEAR ? UNDECIDED_NEAR * lower.high : 0
  if (Math.abs(distance) > UNDECIDED * more.now.high + near + LEAST) return distance
  return exactGap(price, maturity, more, less)
}

/** The price less an upper bound; −∞ where the bound is infinite. */
export function distanceFromUpper(price: number, maturity: number, upper: Leg): number {
  const distance = difference(price, upper.now)
  if (areExact(upper) || upper.now.high === Number.POSITIVE_INFINITY) return distance
  if (Math.abs(distance) > UNDECIDED * upper.now.high + LEAST) return distance
  return exactGap(price, maturity, upper)
}

/** A price that was computed in doubles may be off by this share. */
export const COMPUTED = 2 ** -51

/**
 * The largest error of the price's distance from the lower bound if the price was computed in doubles, and each other input was
 * rounded to a double, by 2⁻⁵³ of itself at most.
 */
export function roundingOf({ price, more, less }: Quote): number {
  const ofLeg = ({ decay, now }: Leg) => UNIT * now.high * (1 + 2 * Math.abs(decay.high))
  return COMPUTED * price + ofLeg(more) + ofLeg(less)
}

/** Whether no leg has a rate: a pair of doubles then holds the sum or the difference of two legs exactly. */
const areExact = (...legs: readonly Leg[]) => legs.every(({ rate }) => rate === 0)

function discounted(amount: number, decay: DoubleDouble): DoubleDouble {
  if (decay.high < -1500) return { high: 0, low: 0 }
  if (decay.high > 1500) return { high: Number.POSITIVE_INFINITY, low: 0 }
  const value = preciseExponential(amount, decay)
  return { high: value.high, low: zeroIfNaN(value.low) }
}

const difference = (price: number, bound: DoubleDouble) =>
  exactSum({ high: price, low: 0 }, { high: -bound.high, low: -bound.low }).high
