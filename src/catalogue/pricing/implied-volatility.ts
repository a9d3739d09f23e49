/** The implied volatility of Black–Scholes–Merton as an endpoint. */
import { impliedVolatility } from '../../numerics/options/implied-volatility.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, number, positive } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'

const { spot, strike, risk_free_rate, dividend_yield, option_type } = blackScholesOperation.input.properties

export const impliedVolatilityOperation = operation({
  path: '/quantlib/pricing/bs/implied-volatility',
  title: 'Black–Scholes implied volatility',
  summary:
    'Volatility at which a European option has a given price under Black–Scholes–Merton with a continuous dividend yield (after Jäckel 2015). One rounding of the price changes it by 2⁻⁵³·c of itself, where c = price/(vega·volatility); the answer is that for the price as given, with a relative error of at most 1e-13 + 2⁻⁷⁰·c. A price equal to that of volatility 0 gives 0; a price below the lower or not below the upper no-arbitrage bound is refused.',
  input: exactly({
    price: nonNegative('price of the option, in any currency unit'),
    spot: { ...spot, description: 'price of the underlying, in the same unit' },
    strike,
    risk_free_rate,
    time_to_maturity: positive('years'),
    dividend_yield,
    option_type,
  }),
  output: exactly({
    implied_volatility: number('standard deviation of the log price over one year, as a decimal'),
  }),
  example: {
    input: { price: 8, spot: 100, strike: 105, risk_free_rate: 0.05, time_to_maturity: 1 },
    output: { implied_volatility: 0.19946176790485498 },
  },
  // At most four iterations. Only beside the money and with a tiny time value is the logarithm needed in fixed-point arithmetic.
  work: ({ price, spot, strike, risk_free_rate: r, dividend_yield: q, time_to_maturity: T }) => {
    const isBesideTheMoney = !(Math.abs(Math.log(spot / strike) + (r - q) * T) > 1e-9)
    return isBesideTheMoney && !(price > 1e-8 * spot * Math.exp(-q * T)) ? 400 : 8
  },
  fields: blackScholesOperation.fields!,
  compute: (input) => ({
    implied_volatility: impliedVolatility({
      price: input.price,
      spot: input.spot,
      strike: input.strike,
      rate: input.risk_free_rate,
      maturity: input.time_to_maturity,
      dividendYield: input.dividend_yield,
      type: input.option_type,
    }),
  }),
})
