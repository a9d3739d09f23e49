/** Sensitivities of the Black–Scholes–Merton price in closed form, accurate to the last digits over its whole domain. */
import { exactProduct, exactSum, scaledProduct } from '../arithmetic/scaled-product.ts'
import { DomainError } from '../domain-error.ts'
import { type BlackScholesInput, refuseOutside } from './black-scholes.ts'
import { normalDensity } from './distances.ts'
import { type HigherGreeks, signed, stated } from './higher-greeks.ts'
import { millsRatio } from './mills-ratio.ts'
import { optionValue } from './option-value.ts'
import { standardOption } from './standard-option.ts'

export interface BlackScholesGreeks extends Partial<HigherGreeks> {
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
 * The Greeks of the price that `blackScholes` computes: Black & Scholes (1973), eq. 14 (delta) and the other derivatives of their
 * eq. 13; dividend yield after Merton (1973), section 7. In this form also in Haug (2007), chapter 2.
 *
 * Φ(d) is φ(d)·R(−d) with Mills' ratio R for d ≤ 0 and 1 − φ(d)·R(d) for d > 0, and S·exp(−qT)·φ(d₁) = K·exp(−rT)·φ(d₂).
 * So a Greek has the relative accuracy of one exponential, whose exponent is formed in double-double precision. Theta, charm
 * and color are sums of terms that may cancel, and accurate relative to the largest of them. Where d₁, d₂, d₁ + s or d₁d₂ − 1 is a factor,
 * it has an absolute error of about 1e-16, and the accuracy is relative where it is at least 0.01.
 *
 * At σ√T = 0 the Greeks are those of the discounted payoff of the forward. Throws DomainError outside the stated domain, at
 * the kink of that payoff (σ√T = 0 with the forward at the strike), where delta jumps and gamma is infinite, and where delta, gamma,
 * vega, theta or rho exceeds the largest double. Of the others, those that exceed it are absent, and all at σ√T below 2⁻²⁰⁰.
 */
export const blackScholesGreeks = (input: BlackScholesInput): BlackScholesGreeks =>
  greeksOf(input, (_, rho) => rho)

/** The Greeks of an option on a forward, for a dividend yield equal to the rate: rho is −T·V. */
export const forwardFixedGreeks = (input: BlackScholesInput): BlackScholesGreeks =>
  greeksOf(input, (value) => 0 - value)

/** @param rhoOf chooses between the price times the maturity, and rho at a fixed spot */
function greeksOf(
  input: BlackScholesInput,
  rhoOf: (value: number, rho: number) => number,
): BlackScholesGreeks {
  const terms = termsOf(input)
  const { density, isCall, maturity, option, root, sign, spotShare, strikeShare, volatility } = terms
  const { spot, rate, dividendYield } = input
  const decay = maturity === 0 ? 0 : density([0.5, spot, volatility], [root])
  // q·S·exp(−qT)·Φ(d₁) − r·K·exp(−rT)·Φ(d₂) for a call, without the cancellation at r = q.
  const excess = isCall ? dividendYield - rate : rate - dividendYield
  const rest = isCall ? strikeShare(Math.abs(excess)) : spotShare(spot, Math.abs(excess))
  const own = isCall ? dividendYield : rate
  const carried = Math.sign(own) * optionValue(isCall, option, Math.abs(own)) + Math.sign(excess) * rest

  const greeks = {
    delta: sign * spotShare() + 0,
    gamma: density(option.enlargement, [spot, option.s]),
    vega: density([spot, root]),
    theta: carried - decay + 0,
    rho: rhoOf(optionValue(isCall, option, maturity), sign * strikeShare(maturity) + 0),
  }
  refuseInfinite(greeks)
  return option.enlargement.length > 0 ? greeks : { ...greeks, ...stated(higherGreeks(input, terms)) }
}

type Terms = ReturnType<typeof termsOf>

/** The parts of which the Greeks are sums. Each takes factors by which it is multiplied. */
function termsOf(input: BlackScholesInput) {
  refuseOutside(input)
  const { spot, strike, rate, dividendYield, type } = input
  // −0 becomes 0: quotients take its sign.
  const [volatility, maturity] = [input.volatility + 0, input.maturity + 0]
  const option = standardOption({ spot, strike, rate, volatility, maturity, dividendYield })
  const isFlat = volatility === 0 || maturity === 0
  if (isFlat && option.x.high === 0)
    throw new DomainError(
      maturity === 0 ? 'maturity' : 'volatility',
      'must be greater than 0 where the forward equals {strike}: the payoff has a kink there, where delta jumps and gamma is infinite',
    )
  const isCall = type === 'call'
  const { d1, d2, spotDecay, strikeDecay, densityExponent } = option
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
  const sign = isCall ? 1 : -1
  return {
    density,
    isCall,
    maturity,
    option,
    root: Math.sqrt(maturity),
    sign,
    spotShare,
    strikeShare,
    volatility,
  }
}

/** With ∂d₁/∂T = (r − q)/s − d₂/2T, and γ(d₁d₂ − 1)/σ = ∂γ/∂σ. */
function higherGreeks({ spot, rate, dividendYield }: BlackScholesInput, terms: Terms): HigherGreeks {
  const { density, maturity, root, sign, spotShare, volatility } = terms
  const { d1, d2, s } = terms.option
  const carry = rate - dividendYield
  const product = exactProduct(d1.high, d2.high)
  const { high: excess } = exactSum(product, { high: -1, low: d1.high * d2.low + d1.low * d2.high })
  const { high: beyond } = exactSum(d1, { high: s, low: 0 })
  const [one, two] = [Math.abs(d1.high), Math.abs(d2.high)]
  const moved = signed(dividendYield, sign * spotShare(Math.abs(dividendYield)))
  return {
    vanna: signed(-d2.high, density([two], [volatility])),
    volga: signed(product.high, density([spot, root, one, two], [volatility])),
    charm:
      moved -
      signed(carry, density([Math.abs(carry)], [s])) +
      signed(d2.high, density([0.5, two], [maturity])),
    speed: signed(-beyond, density([Math.abs(beyond)], [spot, spot, s, s])),
    zomma: signed(excess, density([Math.abs(excess)], [spot, s, volatility])),
    color:
      signed(dividendYield, density([Math.abs(dividendYield)], [spot, s])) +
      signed(carry * d1.high, density([Math.abs(carry), one], [spot, s, s])) -
      signed(excess, density([0.5, Math.abs(excess)], [spot, s, maturity])),
  }
}

function refuseInfinite(greeks: object): void {
  for (const [name, greek] of Object.entries(greeks))
    if (!Number.isFinite(greek)) {
      const reason = `The ${name}, or an amount that it is computed from, is beyond the range of double precision at these values`
      throw new DomainError('maturity', reason, { isSentence: true })
    }
}
