/** Variance Gamma price of a European call, as the mean of Black–Scholes prices over a gamma clock. */

import { productError, sumError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { DomainError } from '../domain-error.ts'
import { clockMixture } from './clock-mixture.ts'
import { type ClockOption, kinkOf } from './clock-option.ts'
import { discounted, forwardValue } from './forward.ts'
import { gammaDensityPeak } from './gamma-clock.ts'
import { kinkedMixture } from './kinked-mixture.ts'
import { logMoneyness } from './log-moneyness.ts'

export interface VarianceGammaInput {
  /** Price of the underlying, above 0. */
  readonly spot: number
  /** Above 0. */
  readonly strike: number
  /** Continuously compounded, a year. */
  readonly rate: number
  /** Volatility of the Brownian motion, not below 0. */
  readonly sigma: number
  /** Drift of the Brownian motion; negative skews to the left. */
  readonly theta: number
  /** Variance of the gamma clock over a year, above 0. */
  readonly nu: number
  /** Years, not below 0. */
  readonly maturity: number
  /** Continuously compounded, a year. */
  readonly dividendYield: number
}

/**
 * Price in the currency of spot and strike; the payoff at maturity 0. Throws DomainError outside the stated domain,
 * where 1 − θν − σ²ν/2 ≤ 0 (the underlying would have no mean) and where the price exceeds the largest double.
 * Madan, Carr & Chang (1998), eq. 5–7 and appendix: Brownian motion θg + σW(g) at a gamma time g of mean T.
 */
export function varianceGammaCall(input: VarianceGammaInput): number {
  const { spot, strike, rate, sigma, theta, nu, maturity, dividendYield } = input
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(sigma >= 0)) throw new DomainError('sigma', 'must not be below 0')
  if (!(maturity >= 0)) throw new DomainError('maturity', 'must not be below 0')
  if (nu === 0) throw new DomainError('nu', 'must be greater than 0; for nu = 0 use the Black–Scholes price')
  if (!(nu > 0)) throw new DomainError('nu', 'must be greater than 0')
  const margin = 1 - (nu * theta + nu * (0.5 * sigma * sigma))
  if (!(margin > 0))
    throw new DomainError(
      'nu',
      `These parameters are not valid: 1 − θν − σ²ν/2 is ${readable(margin)}; it must be positive`,
      { isSentence: true },
    )
  const price = varianceGammaCallPrice(spot, strike, rate, sigma, theta, nu, maturity, dividendYield)
  if (!Number.isFinite(price))
    throw new DomainError('maturity', 'The price is beyond the range of double precision at these values', {
      isSentence: true,
    })
  return price
}

/** Six digits, with the minus sign of the formula beside it. */
const readable = (value: number): string => String(Number(value.toPrecision(6))).replaceAll('-', '−')

/** Below this standard deviation against the distance from the money, where the clock carries the option through it. */
const SHARP = 0.2
/** Nodes tried on the smooth sum before the kink is given a sum of its own, and where there is no kink. */
const SMOOTH_NODES = 160
const MOST_NODES = 1500

/**
 * The same without an object and unchecked: not finite where the price cannot be represented. The option out of the
 * money is integrated, all terms positive, and the other one adds the discounted forward less the discounted strike.
 * Typically 25 nodes; at most 1,500, or 160 and 3,000 on either side of a kink.
 */
export function varianceGammaCallPrice(
  spot: number,
  strike: number,
  rate: number,
  sigma: number,
  theta: number,
  nu: number,
  maturity: number,
  dividendYield: number,
): number {
  if (maturity === 0) return Math.max(spot - strike, 0)
  const deviation = sigma * Math.sqrt(maturity)
  const x = logMoneyness(spot, strike, rate, dividendYield, maturity, deviation)
  // Below this the clock's randomness is lost in that of the Brownian motion, and its shape would overflow.
  const variance = Math.max(nu, maturity * 1e-140)
  const shape = maturity / variance
  // 1 − θν − σ²ν/2 may be a small difference: its subtrahends are taken with their roundings.
  const skew = variance * theta
  const spread = 0.5 * sigma * sigma
  const kurtosis = variance * spread
  const gap = skew + kurtosis
  const gapTail =
    productError(variance, theta, skew) +
    productError(variance, spread, kurtosis) +
    variance * productError(0.5 * sigma, sigma, spread) +
    sumError(skew, kurtosis, gap)
  const margin = 1 - gap - zeroIfNaN(gapTail)
  const logMargin = gap < 0.5 ? Math.log1p(-gap) - zeroIfNaN(gapTail) / margin : Math.log(margin)
  const option: ClockOption = {
    isCall: x.high <= 0,
    level: x.high + (shape * logMargin + x.low),
    drift: (theta + spread) * maturity,
    deviation,
    shape,
    margin,
  }
  const timeValue = discounted(strike, rate, maturity) * gammaDensityPeak(shape) * mean(option)
  if (option.isCall) return timeValue
  return timeValue + forwardValue(x, spot, strike, rate, maturity, dividendYield)
}

function mean(option: ClockOption): number {
  const kink = kinkOf(option)
  const isSharp = kink > 0 && option.deviation * Math.sqrt(kink) < SHARP * Math.abs(option.level)
  const smooth = clockMixture(option, isSharp ? SMOOTH_NODES : MOST_NODES)
  if (isSharp && !(smooth > 0)) return kinkedMixture(option)
  return smooth >= 0 ? smooth : Number.NaN
}
