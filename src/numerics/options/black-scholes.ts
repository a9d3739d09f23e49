/** Black–Scholes–Merton price of a European option, accurate to the last digits however far out of the money. */
import { DomainError } from '../domain-error.ts'
import { fastBlackScholes } from './fast-black-scholes.ts'
import { optionValue } from './option-value.ts'
import { standardOption, type VolatileOption } from './standard-option.ts'

export interface BlackScholesInput extends VolatileOption {
  readonly type: 'call' | 'put'
}

/**
 * Price in the currency of spot and strike: the payoff at maturity 0, the discounted payoff of the forward at
 * volatility 0. Throws DomainError outside the stated domain and where the price, or the discounted spot or
 * strike, exceeds the largest double.
 * Black & Scholes (1973), eq. 13; dividend yield after Merton (1973), section 7.
 */
export function blackScholes(input: BlackScholesInput): number {
  refuseOutside(input)
  const price = blackScholesPrice(input)
  if (!Number.isFinite(price))
    throw new DomainError(
      'maturity',
      'The price, or the discounted spot or strike, is beyond the range of double precision at these values',
      { isSentence: true },
    )
  return price
}

/** Throws DomainError outside the domain that `BlackScholesInput` states. */
export function refuseOutside({ spot, strike, volatility, maturity }: BlackScholesInput): void {
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(volatility >= 0)) throw new DomainError('volatility', 'must not be below 0')
  if (!(maturity >= 0)) throw new DomainError('maturity', 'must not be below 0')
}

/**
 * The price of `blackScholes` without checks: not finite where it cannot be represented. Most options are
 * priced by `fastBlackScholes`. The others need x = ln(S/K) + (r − q)T, σ√T and the exponent in double-double precision, because
 * the price magnifies their rounding a hundredfold, or scaled units, because σ√T or a rate times T leaves the range of doubles.
 */
export function blackScholesPrice(input: BlackScholesInput): number {
  const fast = fastBlackScholes(input)
  if (!Number.isNaN(fast)) return fast
  const { spot, strike, maturity, type } = input
  const isCall = type === 'call'
  if (maturity === 0) return Math.max(isCall ? spot - strike : strike - spot, 0)
  return optionValue(isCall, standardOption(input), 1)
}
