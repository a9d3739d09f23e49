/** Sensitivities of the Black–Scholes–Merton price in closed form, accurate to the last digits over its whole domain. */
import { exactProduct, scaledProduct } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import type { BlackScholesInput } from './black-scholes.ts'
import { densityExponent, distances } from './distances.ts'
import { logMoneyness } from './log-moneyness.ts'
import { millsDifference, millsRatio, NORMAL_PEAK } from './mills-ratio.ts'

export interface BlackScholesGreeks {
  /** ∂V/∂S. */
  readonly delta: number
  /** ∂²V/∂S², per unit of currency. */
  readonly gamma: number
  /** ∂V/∂σ, per 1.00 of volatility. */
  readonly vega: number
  /** −∂V/∂T, per year that passes. */
  readonly theta: number
  /** ∂V/∂r, per 1.00 of rate. */
  readonly rho: number
}

/** From this |x|/s − s/2 on, an option out of the money is the difference of two Mills' ratios. */
const LEAST_DISTANCE = -3

/**
 * Delta, gamma, vega, theta and rho of the price that `blackScholes` computes: Black & Scholes (1973), eq. 14 (delta) and the
 * other derivatives of their eq. 13; dividend yield after Merton (1973), section 7. In this form also in Haug (2007), chapter 2.
 *
 * Φ(d) is φ(d)·R(−d) with Mills' ratio R for d ≤ 0 and 1 − φ(d)·R(d) for d > 0, and S·exp(−qT)·φ(d₁) = K·exp(−rT)·φ(d₂).
 * So a Greek has the relative accuracy of one exponential, whose exponent is formed in double-double precision. Theta is a
 * sum of terms that may cancel, and accurate relative to the largest of them.
 *
 * At σ√T = 0 the Greeks are those of the discounted payoff of the forward. Throws DomainError outside the stated domain, at
 * the kink of that payoff (σ√T = 0 with the forward at the strike), where delta jumps and gamma is infinite, and where a
 * Greek exceeds the largest double.
 */
export function blackScholesGreeks(input: BlackScholesInput): BlackScholesGreeks {
  const { spot, strike, rate, dividendYield, type } = input
  // −0 becomes 0: quotients take its sign.
  const [volatility, maturity] = [input.volatility + 0, input.maturity + 0]
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(volatility >= 0)) throw new DomainError('volatility', 'must not be below 0')
  if (!(maturity >= 0)) throw new DomainError('maturity', 'must not be below 0')
  const root = Math.sqrt(maturity)
  const x = logMoneyness(spot, strike, rate, dividendYield, maturity, volatility * root)
  const isFlat = volatility === 0 || maturity === 0
  if (isFlat && x.high === 0)
    throw new DomainError(
      maturity === 0 ? 'maturity' : 'volatility',
      'must be greater than 0 where the forward equals {strike}: the payoff has a kink there, where delta jumps and gamma is infinite',
    )

  const isCall = type === 'call'
  const sign = isCall ? 1 : -1
  const { d1, d2, y, s, enlargement } = distances(x, volatility, maturity)
  const exponent = densityExponent(d1, dividendYield, maturity)
  const spotDecay = exactProduct(-dividendYield, maturity)
  const strikeDecay = exactProduct(-rate, maturity)
  /** exp(−qT)·φ(d₁) times the factors. */
  const density = (above: readonly number[], below?: readonly number[]) =>
    isFlat ? 0 : NORMAL_PEAK * scaledProduct(exponent, above, below)
  /** exp(−qT)·Φ(±d₁) times the factors. */
  const spotShare = (...factors: readonly number[]) =>
    isCall === d1.high > 0
      ? scaledProduct(spotDecay, factors) - density([...factors, millsRatio(Math.abs(d1.high))])
      : density([...factors, millsRatio(Math.abs(d1.high))])
  /** K·exp(−rT)·Φ(±d₂) times the factors. */
  const strikeShare = (...factors: readonly number[]) =>
    isCall === d2.high > 0
      ? scaledProduct(strikeDecay, [strike, ...factors]) -
        density([spot, ...factors, millsRatio(Math.abs(d2.high))])
      : density([spot, ...factors, millsRatio(Math.abs(d2.high))])

  /** The price times a rate, which is a factor from the start: the price alone may underflow. */
  const valueTimes = (yearly: number) => {
    const factor = Math.abs(yearly)
    const spotNow = scaledProduct(spotDecay, [spot, factor])
    const strikeNow = scaledProduct(strikeDecay, [strike, factor])
    const most = x.high < 0 ? spotNow : strikeNow
    const nearer = x.high < 0 ? -d1.high : d2.high
    const outOfTheMoney =
      nearer >= LEAST_DISTANCE || isFlat
        ? density([spot, factor, millsDifference(y, 0.5 * s)], [enlargement])
        : most - density([spot, factor, millsRatio(-nearer) + millsRatio(x.high < 0 ? -d2.high : d1.high)])
    if (isCall ? x.high <= 0 : x.high >= 0) return Math.sign(yearly) * outOfTheMoney
    const forward =
      Math.abs(x.high) > 1
        ? Math.abs(spotNow - strikeNow)
        : (x.high < 0 ? spotNow : strikeNow) * (Math.expm1(Math.abs(x.high)) + Math.sign(x.high) * x.low)
    return Math.sign(yearly) * (outOfTheMoney + forward)
  }
  const decay = maturity === 0 ? 0 : density([0.5, spot, volatility], [root])
  // q·S·exp(−qT)·Φ(d₁) − r·K·exp(−rT)·Φ(d₂) for a call, without the cancellation at r = q.
  const excess = isCall ? dividendYield - rate : rate - dividendYield
  const rest = isCall ? strikeShare(Math.abs(excess)) : spotShare(spot, Math.abs(excess))
  const carried = valueTimes(isCall ? dividendYield : rate) + Math.sign(excess) * rest

  const greeks: BlackScholesGreeks = {
    delta: sign * spotShare() + 0,
    gamma: density([enlargement], [spot, s]),
    vega: density([spot, root]),
    theta: carried - decay + 0,
    rho: sign * strikeShare(maturity) + 0,
  }
  for (const [name, greek] of Object.entries(greeks))
    if (!Number.isFinite(greek)) {
      const reason = `The ${name}, or an amount that it is computed from, is beyond the range of double precision at these values`
      throw new DomainError('maturity', reason, { isSentence: true })
    }
  return greeks
}
