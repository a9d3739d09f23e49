/** Variance Gamma price of a European call, as the mean of Black–Scholes prices over a gamma time. */
import { DomainError } from '../domain-error.ts'
import type { BlackScholesInput } from './black-scholes.ts'
import { type ConditionalPut, valueAt } from './conditional-put.ts'
import { discounted, forwardValue } from './forward.ts'
import { gammaDensityPeak } from './gamma-density.ts'
import { gammaMixture, largestTerm, ordinaryTerm, type Term } from './gamma-mixture.ts'
import { kinkedMixture } from './kinked-mixture.ts'
import { logMoneyness } from './log-moneyness.ts'
import { conditionalPut, type GammaOption, martingaleGap } from './variance-gamma-put.ts'

export interface VarianceGammaInput extends Omit<BlackScholesInput, 'volatility' | 'type'> {
  /** Volatility of the Brownian motion, not below 0. */
  readonly sigma: number
  /** Drift of the Brownian motion; negative skews to the left. */
  readonly theta: number
  /** Variance of the gamma clock over a year, above 0. */
  readonly nu: number
}

export interface VarianceGammaOption extends VarianceGammaInput {
  readonly type: 'call' | 'put'
}

/**
 * Price in the currency of spot and strike; the payoff at maturity 0. Its relative error is below 1e-12, or below 100
 * roundings of its condition number where that is more. Throws DomainError outside the stated domain, where
 * 1 − θν − σ²ν/2 ≤ 0 (the underlying would have no mean), at 0 < T/ν < 1e-100, where the price exceeds the largest double,
 * and where the parameters are so extreme that double precision or the limit on nodes does not suffice.
 * Madan, Carr & Chang (1998), eq. 5–7 and appendix: Brownian motion θg + σW(g) at a gamma time g of mean T.
 */
export function varianceGammaCall(input: VarianceGammaInput): number {
  refuseOutside(input)
  return representable(varianceGammaCallPrice(input))
}

/** Throws DomainError outside the domain of `varianceGammaCall`. */
export function refuseOutside({ spot, strike, sigma, theta, nu, maturity }: VarianceGammaInput): void {
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(sigma >= 0)) throw new DomainError('sigma', 'must not be below 0')
  if (!(maturity >= 0)) throw new DomainError('maturity', 'must not be below 0')
  if (nu === 0) throw new DomainError('nu', 'must be greater than 0; for nu = 0 use the Black–Scholes price')
  if (!(nu > 0)) throw new DomainError('nu', 'must be greater than 0')
  const gap = martingaleGap(theta, sigma, nu)
  const margin = 1 - gap.high - gap.low
  if (!Number.isFinite(margin)) throw tooExtreme()
  if (!(margin > 0))
    throw new DomainError(
      'nu',
      `must be less than ${readable(nu / (gap.high + gap.low))} at these values of {theta} and {sigma}: 1 − {theta}·{nu} − {sigma}²·{nu}/2 is ${readable(margin)} and must be greater than 0`,
    )
  if (maturity > 0 && maturity / nu < LEAST_SHAPE)
    throw new DomainError('maturity', `is too small: {maturity}/{nu} must be 0 or at least ${LEAST_SHAPE}`)
}

/** Returns the value; throws DomainError if it is not a finite number. */
export function representable(value: number): number {
  if (Number.isNaN(value)) throw tooExtreme()
  if (!Number.isFinite(value))
    throw new DomainError('maturity', 'The price is beyond the range of double precision at these values', {
      isSentence: true,
    })
  return value
}

const tooExtreme = () =>
  new DomainError(
    'nu',
    '{theta}, {sigma}, {nu} and {maturity} are too extreme together: the price cannot be computed accurately',
    { isSentence: true },
  )

/** A number of six digits, with the same minus sign as the formula in the message. */
const readable = (value: number): string => String(Number(value.toPrecision(6))).replaceAll('-', '−')

/** Below this T/ν a kink takes too many nodes. */
const LEAST_SHAPE = 1e-100
/** The kink counts as sharp below this width of the time value relative to the kink. */
const SHARP = 0.2
/** The limits on nodes of the smooth sum: before a sharp kink gets a sum of its own, and otherwise. */
const SMOOTH_NODES = 160
const MOST_NODES = 1500
/** A put whose value has a logarithm below this is below the smallest double even in units of the largest. */
export const VANISHING = -1500

/**
 * The price of `varianceGammaCall` without checks: not finite where it cannot be represented.
 *
 * The option out of the money by its forward is integrated, all terms positive; a call in the money adds the discounted
 * forward minus the discounted strike. A call out of the money is a put in units of the spot, with log moneyness −m and the
 * density exp(m) times the old one, again a gamma density of mean 1 (Geman, El Karoui & Rochet 1995). So the payoff is
 * bounded, and the bulk of the density always lies at the mean time. Typically 25 nodes.
 */
export function varianceGammaCallPrice(input: VarianceGammaInput): number {
  if (input.maturity === 0) return Math.max(input.spot - input.strike, 0)
  const option = outOfTheMoney(input)
  if (option === undefined) return Number.NaN
  const { isCall, most, value } = option
  if (isCall) return Math.min(most, value)
  return Math.min(most, value + forwardValue(option.x, most, option.unit))
}

/** The option out of the money by its forward. */
export interface OutOfTheMoney extends Pick<GammaOption, 'isCall' | 'x' | 'gap' | 'margin'> {
  readonly put: ConditionalPut
  /** The discounted spot. */
  readonly most: number
  /** The discounted spot for a call, the discounted strike for a put. */
  readonly unit: number
  readonly value: number
}

/** The option out of the money, for a maturity above 0; undefined where 1 − θν − σ²ν/2 is not above 0 and finite. */
export function outOfTheMoney(input: VarianceGammaInput): OutOfTheMoney | undefined {
  const { spot, strike, rate, sigma, theta, nu, maturity, dividendYield } = input
  // The schema accepts a sigma of −0.
  const deviation = Math.abs(sigma) * Math.sqrt(maturity)
  const x = logMoneyness(input, deviation)
  const isCall = x.high <= 0
  // At a smaller ν the gamma time is constant to all digits, and its shape would overflow.
  const variance = Math.max(nu, maturity * 1e-140)
  const gap = martingaleGap(theta + 0, sigma, variance)
  const margin = 1 - gap.high - gap.low
  if (!(margin > 0 && margin < Infinity)) return
  const put = conditionalPut({ isCall, x, gap, margin, deviation, shape: maturity / variance })
  const most = discounted(spot, dividendYield, maturity)
  const unit = isCall ? most : discounted(strike, rate, maturity)
  const [first, second] = mean(put)
  return { isCall, x, gap, margin, put, most, unit, value: Math.min(unit, unit * first * second) }
}

/** The mean of the put as two factors, whose product may underflow. */
function mean(put: ConditionalPut): [number, number] {
  const ordinary = ordinaryTerm(put)
  if (ordinary !== undefined) return [1, gammaDensityPeak(put.shape) * integral(put, ordinary)]
  const { u, size } = largestTerm(put)
  if (size < VANISHING) return [0, 0]
  const lift = Math.max(0, -size)
  const lifted = { ...put, lift }
  const root = Math.exp(-0.5 * lift)
  const sum = integral(lifted, { u, value: valueAt(lifted, u, Math.exp(u)) })
  return [root, gammaDensityPeak(put.shape) * sum * root]
}

function integral(put: ConditionalPut, start: Term): number {
  const hasKink = !Number.isNaN(put.kink)
  const smooth = gammaMixture(put, start, hasKink && isSharp(put) ? SMOOTH_NODES : MOST_NODES)
  if (smooth >= 0) return smooth
  return hasKink ? kinkedMixture(put) : Number.NaN
}

/** Whether the value of a put with a kink changes so fast there that a sum of its own may need fewer nodes. */
export const isSharp = ({ deviation, drift, level }: ConditionalPut): boolean =>
  deviation * deviation < SHARP * SHARP * Math.abs(level * drift)
