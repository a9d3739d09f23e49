/** Black–Scholes–Merton price of a European option, to the last digits however far out of the money. */
import { DomainError } from '../domain-error.ts'
import { forwardValue, logOfForward, takeLogForward } from './forward.ts'
import { ordinaryPrice } from './ordinary-option.ts'
import { timeValue } from './time-value.ts'

export interface BlackScholesInput {
  /** Price of the underlying, above 0. */
  readonly spot: number
  /** Above 0. */
  readonly strike: number
  /** Continuously compounded, a year. */
  readonly rate: number
  /** Standard deviation of the log price over a year, not below 0. */
  readonly volatility: number
  /** Years, not below 0. */
  readonly maturity: number
  /** Continuously compounded, a year. */
  readonly dividendYield: number
  readonly type: 'call' | 'put'
}

/**
 * Price in the currency of spot and strike: the payoff at maturity 0, the discounted payoff of the forward at
 * volatility 0. Throws DomainError outside the stated domain and where the price exceeds the largest double.
 * Black & Scholes (1973), eq. 13; dividend yield after Merton (1973), section 7.
 */
export function blackScholes(input: BlackScholesInput): number {
  const { spot, strike, rate, volatility, maturity, dividendYield, type } = input
  if (!(spot > 0)) throw new DomainError('spot', 'must be greater than 0')
  if (!(strike > 0)) throw new DomainError('strike', 'must be greater than 0')
  if (!(volatility >= 0)) throw new DomainError('volatility', 'must not be below 0')
  if (!(maturity >= 0)) throw new DomainError('maturity', 'must not be below 0')
  const price = blackScholesPrice(type === 'call', spot, strike, rate, volatility, maturity, dividendYield)
  if (!Number.isFinite(price))
    throw new DomainError('maturity', 'over this time rates and price leave the range of 64-bit numbers')
  return price
}

/**
 * The same without an object and unchecked: not finite where the price cannot be represented. With x = ln(S/K) +
 * (r − q)T, v = σ²T, the side out of the money is `timeValue`; the other one adds |S·exp(−qT) − K·exp(−rT)|.
 * x, v and the exponent are carried as sums of two numbers: the price magnifies their rounding a hundredfold. That is
 * long work, which most options are spared by `ordinaryPrice`.
 */
export function blackScholesPrice(
  isCall: boolean,
  spot: number,
  strike: number,
  rate: number,
  volatility: number,
  maturity: number,
  dividendYield: number,
): number {
  const ordinary = ordinaryPrice(isCall, spot, strike, rate, volatility, maturity, dividendYield)
  if (!Number.isNaN(ordinary)) return ordinary
  if (maturity === 0) return Math.max(isCall ? spot - strike : strike - spot, 0)
  takeLogForward(spot, strike, rate, dividendYield, maturity, volatility * Math.sqrt(maturity))
  const x = logOfForward[0]
  const xTail = logOfForward[1]
  const otm = timeValue(spot, strike, rate, volatility, maturity, dividendYield)
  if (isCall ? x <= 0 : x >= 0) return otm
  return otm + forwardValue(x, xTail, spot, strike, rate, maturity, dividendYield)
}
