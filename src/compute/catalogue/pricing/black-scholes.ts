/** The endpoints of Black–Scholes–Merton: price, Greeks and implied volatility. */

import { Type } from '../../../base/type.ts'
import { greeks, implied, NAMES, price } from '../../../numerics/results/black-scholes.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, number, oneOf, positive, withDefault } from '../schema.ts'

const optionType = oneOf(['call', 'put'], 'right to buy or sell; call: to buy, put: to sell')

const blackScholesInput = exactly({
  spot: positive('any currency'),
  strike: positive('same unit'),
  risk_free_rate: number('decimal per year; continuously compounded'),
  volatility: nonNegative('decimal per year; of the log price'),
  time_to_maturity: nonNegative('years'),
  dividend_yield: withDefault(number('decimal per year; continuously compounded'), 0),
  option_type: withDefault(optionType, 'call'),
})

export const blackScholesOperation = operation({
  path: '/quantlib/pricing/bs/price',
  title: 'Black–Scholes price',
  summary:
    'Price of a European option under Black–Scholes–Merton. The dividend yield is continuous, and the relative error at most 1e-13 however far out of the money. Maturity 0 gives the payoff, volatility 0 the discounted payoff of the forward.',
  input: blackScholesInput,
  output: exactly({
    price: number('in the unit of spot'),
    option_type: optionType,
  }),
  example: {
    input: { spot: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 },
    output: { price: 8.021352235143173, option_type: 'call' },
  },
  // A deviation below 2⁻²² may need the log moneyness in fixed-point arithmetic.
  work: ({ volatility, time_to_maturity }) => (volatility * Math.sqrt(time_to_maturity) < 2 ** -22 ? 30 : 2),
  fields: NAMES,
  compute: price,
})

/** A Greek that is absent where it, or a term of it, is beyond the range of double precision. */
export const higher = (description: string) => Type.Optional(number(description))

export const blackScholesGreeksOperation = operation({
  path: '/quantlib/pricing/bs/greeks',
  title: 'Black–Scholes Greeks',
  summary:
    'Greeks of a European option under Black–Scholes–Merton: with a continuous dividend yield, to a relative 1e-14 (theta, charm and color: of the largest of their terms; where d₁ or d₂ is a factor, it counts as at least 0.01) however far out of the money. Vanna to color are absent where they are beyond the range of double precision. Maturity 0 or volatility 0 gives the derivatives of the discounted payoff of the forward, which is refused only where the forward equals the strike: there delta jumps and gamma is infinite. Closed forms: Black & Scholes 1973, eq. 14, and the other derivatives of their eq. 13; Merton 1973, section 7.',
  input: blackScholesOperation.input,
  output: exactly({
    delta: number('per unit of spot; ∂V/∂S'),
    gamma: number('per unit of spot; ∂²V/∂S², change of delta'),
    vega: number('per 1.00; of volatility, ∂V/∂σ; divide by 100 for a percentage point'),
    theta: number('−∂V/∂T, per year; divide by 365 for a calendar day'),
    rho: number('per 1.00; of rate, ∂V/∂r; divide by 10,000 for a basis point'),
    vanna: higher('per 1.00; ∂delta/∂σ'),
    volga: higher('per 1.00; ∂vega/∂σ'),
    zomma: higher('per 1.00; ∂gamma/∂σ'),
    charm: higher('per year; −∂delta/∂T'),
    color: higher('per year; −∂gamma/∂T'),
    speed: higher('per unit; ∂gamma/∂S'),
    option_type: blackScholesOperation.output.properties.option_type,
  }),
  example: {
    input: { spot: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 },
    output: {
      delta: 0.5422283335848053,
      gamma: 0.019835261904213263,
      vega: 39.67052380842652,
      theta: -6.277126437009521,
      rho: 46.20148112333737,
      vanna: 0.18635391376192384,
      volga: -1.9762679586371152,
      charm: -0.1178117008972587,
      speed: -0.00030352828120330333,
      zomma: -0.10016444350038485,
      color: 0.01054232266084434,
      option_type: 'call',
    },
  },
  // A deviation below 2⁻²² may need the log moneyness in fixed-point arithmetic.
  work: ({ volatility, time_to_maturity }) => (volatility * Math.sqrt(time_to_maturity) < 2 ** -22 ? 60 : 10),
  fields: NAMES,
  compute: greeks,
})

const { spot, strike, risk_free_rate, dividend_yield, option_type } = blackScholesOperation.input.properties

const quoteInput = exactly({
  price: nonNegative('any currency'),
  spot: { ...spot, description: 'same unit' },
  strike,
  risk_free_rate,
  time_to_maturity: positive('years'),
  dividend_yield,
  option_type,
})

export const impliedVolatilityOperation = operation({
  path: '/quantlib/pricing/bs/implied-volatility',
  title: 'Black–Scholes implied volatility',
  summary:
    'Implied volatility of a European option (under Black–Scholes–Merton with a continuous dividend yield, after Jäckel 2015). One rounding of the price changes it by 2⁻⁵³·c of itself, where c = price/(vega·volatility); the answer is that for the price as given, with a relative error of at most 1e-13 + 2⁻⁷⁰·c. Prices are compared with the exact no-arbitrage bounds: above the lower one by however little, the answer is above 0. The bound itself gives 0, and so does a price that differs from it only by rounding: one below it by no more than a change of the price by 2⁻⁵¹ of itself, as a price that was computed may be off, and of each other input by 2⁻⁵³ of itself, or, without rates, one that equals spot less strike (strike less spot) in decimals of at most 15 digits, such as 22.39 for 65.53 and 43.14. A price below that, or not below the upper bound, is refused.',
  input: quoteInput,
  output: exactly({
    implied_volatility: number('decimal per year; of the log price'),
  }),
  example: {
    input: { price: 8, spot: 100, strike: 105, risk_free_rate: 0.05, time_to_maturity: 1 },
    output: { implied_volatility: 0.19946176790485498 },
  },
  // At most four iterations. Arithmetic with big integers is needed only near the money with a tiny time value and, where rates
  // are not 0, near a no-arbitrage bound.
  work: ({ price, spot, strike, risk_free_rate: r, dividend_yield: q, time_to_maturity: T }) => {
    const isBesideTheMoney = !(Math.abs(Math.log(spot / strike) + (r - q) * T) > 1e-9)
    const [spotNow, strikeNow] = [spot * Math.exp(-q * T), strike * Math.exp(-r * T)]
    if (isBesideTheMoney && !(price > 1e-8 * spotNow)) return 400
    const bounds = [Math.abs(spotNow - strikeNow), spotNow, strikeNow]
    const isAtBound = bounds.some((bound) => Math.abs(price - bound) <= 1e-14 * (spotNow + strikeNow))
    return isAtBound && (r !== 0 || q !== 0) ? 400 : 8
  },
  fields: NAMES,
  compute: implied,
})
