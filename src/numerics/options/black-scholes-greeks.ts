/** Sensitivities of the Black–Scholes–Merton price in closed form, accurate to the last digits over its whole domain. */
import { scaledProduct } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import { type BlackScholesInput, refuseOutside } from './black-scholes.ts'
import { normalDensity } from './distances.ts'
import { millsRatio } from './mills-ratio.ts'
import { optionValue } from './option-value.ts'
import { standardOption } from './standard-option.ts'

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
 * @param isForwardFixed whether rho is that of an option on a forward, for a dividend yield equal to the rate: −T·V
 */
export function blackScholesGreeks(input: BlackScholesInput, isForwardFixed = false): BlackScholesGreeks {
  refuseOutside(input)
  const { spot, strike, rate, dividendYield, type } = input
  // −0 becomes 0: quotients take its sign.
  const [volatility, maturity] = [input.volatility + 0, input.maturity + 0]
  const root = Math.sqrt(maturity)
  const option = standardOption({ spot, strike, rate, volatility, maturity, dividendYield })
  const isFlat = volatility === 0 || maturity === 0
  if (isFlat && option.x.high === 0)
    throw new DomainError(
      maturity === 0 ? 'maturity' : 'volatility',
      'must be greater than 0 where the forward equals {strike}: the payoff has a kink there, where delta jumps and gamma is infinite',
    )

  const isCall = type === 'call'
  const sign = isCall ? 1 : -1
  const { d1, d2, s, spotDecay, strikeDecay, densityExponent, enlargement } = option
  /** exp(−qT)·φ(d₁) times the factors. */
  const density = (above: readonly number[], below?: readonly number[]) =>
    isFlat ? 0 : normalDensity(densityExponent, above, below)
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

  const decay = maturity === 0 ? 0 : density([0.5, spot, volatility], [root])
  // q·S·exp(−qT)·Φ(d₁) − r·K·exp(−rT)·Φ(d₂) for a call, without the cancellation at r = q.
  const excess = isCall ? dividendYield - rate : rate - dividendYield
  const rest = isCall ? strikeShare(Math.abs(excess)) : spotShare(spot, Math.abs(excess))
  const own = isCall ? dividendYield : rate
  const carried = Math.sign(own) * optionValue(isCall, option, Math.abs(own)) + Math.sign(excess) * rest

  const greeks: BlackScholesGreeks = {
    delta: sign * spotShare() + 0,
    gamma: density(enlargement, [spot, s]),
    vega: density([spot, root]),
    theta: carried - decay + 0,
    rho: isForwardFixed ? 0 - optionValue(isCall, option, maturity) : sign * strikeShare(maturity) + 0,
  }
  refuseInfinite(greeks)
  return greeks
}

function refuseInfinite(greeks: BlackScholesGreeks): void {
  for (const [name, greek] of Object.entries(greeks))
    if (!Number.isFinite(greek)) {
      const reason = `The ${name}, or an amount that it is computed from, is beyond the range of double precision at these values`
      throw new DomainError('maturity', reason, { isSentence: true })
    }
}
