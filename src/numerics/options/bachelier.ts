/**
 * Bachelier's price of a European option on a forward and its Greeks, accurate to the last digits however far out of the money.
 */
import { type DoubleDouble, productError, sumError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { exactProduct, exactSum, powerOf, scaledBy, scaledProduct } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import type { BlackScholesInput } from './black-scholes.ts'
import { densityExponent, normalDensity } from './distances.ts'
import { type HigherGreeks, signed, stated } from './higher-greeks.ts'
import { millsRatio, millsSlope } from './mills-ratio.ts'
import { inOwnTime } from './own-time.ts'

export interface BachelierInput extends Pick<BlackScholesInput, 'rate' | 'maturity' | 'type'> {
  /** Forward and strike may be below 0. */
  readonly forward: number
  readonly strike: number
  /** Standard deviation of the forward over a year, in its unit, not below 0. */
  readonly volatility: number
}

export interface ForwardGreeks extends Partial<HigherGreeks> {
  /** ∂V/∂F. */
  readonly delta: number
  /** ∂²V/∂F². */
  readonly gamma: number
  /** ∂V/∂σ. */
  readonly vega: number
  /** −∂V/∂T at a fixed forward. */
  readonly theta: number
  /** ∂V/∂r at a fixed forward: −T·V. */
  readonly rho: number
}

/** A difference of larger numbers may overflow, so a quarter of it is formed. */
const MODERATE = 2 ** 1000

/** (forward − strike)·unit as a sum of two numbers; the unit is 1, or ¼ for large numbers. */
export function excessOf(forward: number, strike: number): DoubleDouble & { readonly unit: number } {
  const unit = Math.abs(forward) < MODERATE && Math.abs(strike) < MODERATE ? 1 : 0.25
  const high = forward * unit - strike * unit
  return { high, low: sumError(forward * unit, -strike * unit, high), unit }
}

/**
 * The price: the payoff at maturity 0, the discounted payoff at volatility 0. Throws DomainError outside the stated domain and
 * where the price exceeds the largest double. Bachelier (1900); with a discount factor after Schachermayer & Teichmann (2008).
 *
 * With y = |F − K|/(σ√T) and Mills' ratio R, the option out of the money is exp(−rT)·σ√T·φ(y)·[1 − y·R(y)], and 1 − y·R(y) is
 * −R′(y), free of cancellation. The other option adds the discounted payoff of the forward.
 */
export function bachelier(input: BachelierInput): number {
  const price = standard(input).value(1)
  if (!Number.isFinite(price)) throw beyondRange('price')
  return price
}

/**
 * The Greeks of the price that `bachelier` computes. Throws DomainError also at σ√T = 0 with the forward at the strike, where
 * delta jumps and gamma is infinite. Theta is accurate relative to the larger of its two terms.
 */
export function bachelierGreeks(input: BachelierInput): ForwardGreeks {
  const terms = standard(input)
  const { density, isFlat, shareOf, sign, size, value } = terms
  const { rate, volatility, maturity } = input
  if (isFlat && size.high === 0)
    throw new DomainError(
      maturity === 0 ? 'maturity' : 'volatility',
      'must be greater than 0 where {forward} equals {strike}: the payoff has a kink there, where delta jumps and gamma is infinite',
    )
  const root = Math.sqrt(maturity)
  const greeks = {
    delta: sign * shareOf(1) + 0,
    gamma: density([], [volatility, root]),
    vega: density([root]),
    theta: Math.sign(rate) * value(Math.abs(rate)) - density([0.5, volatility], [root]) + 0,
    rho: 0 - value(maturity),
  }
  for (const [name, greek] of Object.entries(greeks)) if (!Number.isFinite(greek)) throw beyondRange(name)
  return { ...greeks, ...stated(higherGreeks(input, terms)) }
}

/** With d = (F − K)/(σ√T): ∂d/∂σ = −d/σ and ∂d/∂T = −d/2T. */
function higherGreeks({ rate, volatility, maturity }: BachelierInput, terms: Terms): HigherGreeks {
  const { density, distance, isAbove, shareOf, sign, y } = terms
  const d = isAbove ? y : -y
  const root = Math.sqrt(maturity)
  const square = exactProduct(y, y)
  const { high: excess } = exactSum(square, { high: -1, low: 2 * y * distance.low })
  return {
    vanna: signed(-d, density([y], [volatility])),
    volga: density([root, y, y], [volatility]),
    charm: signed(rate, sign * shareOf(Math.abs(rate))) + signed(d, density([0.5, y], [maturity])),
    speed: signed(-d, density([y], [volatility, root, volatility, root])),
    zomma: signed(excess, density([Math.abs(excess)], [volatility, root, volatility])),
    color:
      signed(rate, density([Math.abs(rate)], [volatility, root])) -
      signed(excess, density([0.5, Math.abs(excess)], [volatility, root, maturity])),
  }
}

type Terms = ReturnType<typeof standard>

/**
 * The terms of the formula. `value` and `density` take factors by which they are multiplied, because without these they may
 * leave the range of doubles.
 */
function standard({ forward, strike, rate, volatility, maturity, type }: BachelierInput) {
  if (!(volatility >= 0)) throw new DomainError('volatility', 'must not be below 0')
  if (!(maturity >= 0)) throw new DomainError('maturity', 'must not be below 0')
  const isFlat = volatility === 0 || maturity === 0
  const { high, low, unit } = excessOf(forward, strike)
  const size = high < 0 ? { high: -high, low: -low } : { high, low }
  const own = inOwnTime(rate, 0, maturity)
  const decay = exactProduct(-own.rate, own.time)
  const distance = isFlat
    ? { high: Number.POSITIVE_INFINITY, low: 0 }
    : deviations(size, unit, volatility, own.time, own.half)
  const exponent = densityExponent(distance, decay)
  const isInTheMoney = type === 'call' ? high > 0 : high < 0
  const density = (above: readonly number[], below?: readonly number[]) =>
    isFlat ? 0 : normalDensity(exponent, above, below)
  const y = distance.high
  /** The probability of exercise, discounted, times a factor. */
  const shareOf = (factor: number) => {
    const tail = density([factor, millsRatio(Math.min(y, Number.MAX_VALUE))])
    return isInTheMoney ? scaledProduct(decay, [factor]) - tail : tail
  }
  const slope = isFlat ? 0 : millsSlope(y)
  const value = (factor: number) => {
    const outOfTheMoney = density([volatility, Math.sqrt(maturity), slope, factor])
    if (!isInTheMoney) return outOfTheMoney
    const payoff = scaledProduct(decay, [size.high, factor], [unit])
    return outOfTheMoney + payoff * (1 + size.low / size.high)
  }
  return {
    density,
    distance,
    isAbove: high > 0,
    isFlat,
    shareOf,
    sign: type === 'call' ? 1 : -1,
    size,
    value,
    y,
  }
}

/** |F − K|/(σ√T), in a unit of currency in which the volatility is about 1. */
function deviations(
  size: DoubleDouble,
  unit: number,
  volatility: number,
  time: number,
  half: number,
): DoubleDouble {
  const power = powerOf(volatility)
  const sigma = scaledBy(volatility, -power)
  const shift = -power - half - (unit === 1 ? 0 : -2)
  const high = scaledBy(size.high, shift)
  const low = scaledBy(size.low, shift)
  // root + rootTail = √T, by Newton's step.
  const root = Math.sqrt(time)
  const square = root * root
  const rootTail = (0.5 * (time - square - productError(root, root, square))) / root
  const s = sigma * root
  const sTail = productError(sigma, root, s) + sigma * rootTail
  const y = high / s
  const product = y * s
  return { high: y, low: zeroIfNaN((high - product - productError(y, s, product) + low - y * sTail) / s) }
}

const beyondRange = (name: string) =>
  new DomainError(
    'maturity',
    `The ${name}, or an amount that it is computed from, is beyond the range of double precision at these values`,
    { isSentence: true },
  )
