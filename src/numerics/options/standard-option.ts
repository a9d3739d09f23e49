/** The quantities of the Black–Scholes formula for an option, in units in which none of them leaves the range of doubles. */
import { type DoubleDouble, sumError } from '../arithmetic/double-double.ts'
import { exactProduct, exactSum, powerOf, scaledBy } from '../arithmetic/scaled-product.ts'
import { type Distances, densityExponent, distances } from './distances.ts'
import type { Moneyness } from './exact-log-moneyness.ts'
import { logMoneyness } from './log-moneyness.ts'
import { inOwnTime, type OwnTime } from './own-time.ts'

/**
 * Where x and s = σ√T are both minute, values are proportional to them at the same x/s: so both are multiplied by the
 * enlargement, and the values divided by it.
 */
export interface StandardOption extends Distances {
  readonly spot: number
  readonly strike: number
  /** ln(S/K) + (r − q)T times the enlargement. */
  readonly x: DoubleDouble
  /** −qT. */
  readonly spotDecay: DoubleDouble
  /** −rT. */
  readonly strikeDecay: DoubleDouble
  /** −qT − d₁²/2. */
  readonly densityExponent: DoubleDouble
  /** Factors whose product is the enlargement. */
  readonly enlargement: readonly number[]
}

export interface VolatileOption extends Moneyness {
  /** Standard deviation of the log price over a year, not below 0. */
  readonly volatility: number
}

/** x and s below 2^MINUTE are enlarged, the larger of them to about 2^SMALL. */
const MINUTE = -200
const SMALL = -100
/** At larger powers of two, values are 0 in doubles. */
const MOST_POWER = 2000
const NONE: readonly number[] = []
/** Differences and quotients of amounts below it do not overflow. */
const MODERATE = 2 ** 1000

export function standardOption(option: VolatileOption): StandardOption {
  const { spot, strike, rate, volatility, maturity, dividendYield } = option
  const own = inOwnTime(rate, dividendYield, maturity)
  // Unless spot and strike are equal, x is at least about 2⁻²¹²: beside it a minute s leaves no time value.
  const drift = spot === strike ? enlargedDrift(rate, dividendYield, volatility, own) : undefined
  const power = drift?.power ?? 0
  const sigma = scaledBy(volatility, own.half + power)
  const x =
    drift?.x ??
    bounded(logMoneyness({ ...own, spot, strike, maturity: own.time }, sigma * Math.sqrt(own.time)))
  const spotDecay = exactProduct(-own.dividendYield, own.time)
  const strikeDecay = exactProduct(-own.rate, own.time)
  const { d1, d2, y, s } = distances(x, sigma, own.time)
  const enlargement = power === 0 ? NONE : halvesOf(power)
  const exponent = densityExponent(d1, spotDecay)
  return { spot, strike, x, d1, d2, y, s, spotDecay, strikeDecay, densityExponent: exponent, enlargement }
}

/** Two factors that make 2^power, which alone may be beyond the range of doubles. */
function halvesOf(power: number): readonly number[] {
  const half = Math.trunc(power / 2)
  return [2 ** half, 2 ** (power - half)]
}

/** (r − q)T times 2^power. */
function enlargedDrift(rate: number, dividendYield: number, volatility: number, { time, half }: OwnTime) {
  const isModerate = Math.abs(rate) < MODERATE && Math.abs(dividendYield) < MODERATE
  const unit = isModerate ? 1 : 0.25
  const carry = rate * unit - dividendYield * unit
  const rest = sumError(rate * unit, -dividendYield * unit, carry)
  const years = isModerate ? 2 * half : 2 * half + 2
  const size = Math.max(sizeOf(carry) + years, sizeOf(volatility) + half)
  // The time adds at most 20 to the exponents: x and s stay so small that values are linear in them.
  const power = size < MINUTE && size > Number.NEGATIVE_INFINITY ? Math.min(SMALL - size, MOST_POWER) : 0
  const shift = years + power
  const product = exactProduct(scaledBy(carry, shift), time)
  // An infinite product and an infinite rest of the other sign would add to NaN.
  const tail = Number.isFinite(product.high) ? scaledBy(rest, shift) * time : 0
  return { x: bounded(exactSum(product, { high: tail, low: 0 })), power }
}

const sizeOf = (value: number) => (value === 0 ? Number.NEGATIVE_INFINITY : powerOf(Math.abs(value)))

/**
 * Limits an x that is infinite or nearly so, because its quotient by s could be NaN. One discounted amount is 0 or infinite then.
 */
const bounded = (x: DoubleDouble): DoubleDouble =>
  Math.abs(x.high) < MODERATE ? x : { high: Math.sign(x.high) * MODERATE, low: 0 }
