/** The implied volatility of Black–Scholes–Merton as an endpoint. */
import { implied } from '../../../numerics/results/black-scholes.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, number, positive } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'

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
    'Volatility at which a European option has a given price (under Black–Scholes–Merton with a continuous dividend yield, after Jäckel 2015). One rounding of the price changes it by 2⁻⁵³·c of itself, where c = price/(vega·volatility); the answer is that for the price as given, with a relative error of at most 1e-13 + 2⁻⁷⁰·c. Prices are compared with the exact no-arbitrage bounds: above the lower one by however little, the answer is above 0. The bound itself gives 0, and so does a price that differs from it only by rounding: one below it by at most half a unit in the last place of each input, or, without rates, one that equals spot less strike (strike less spot) in decimals of at most 15 digits, such as 22.39 for 65.53 and 43.14. A price below that, or not below the upper bound, is refused.',
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
  fields: blackScholesOperation.fields!,
  compute: implied,
})
