/** The implied volatility of an option on a forward as an endpoint. */
import { implied } from '../../../numerics/results/forward.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, positive } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'
import { forwardPriceOperation } from './forward-price.ts'
import { impliedVolatilityOperation } from './implied-volatility.ts'

const { volatility, ...others } = forwardPriceOperation.input.properties

export const forwardImpliedVolatilityOperation = operation({
  path: '/quantlib/pricing/forward/implied-volatility',
  title: 'Forward option implied volatility',
  summary:
    'Volatility at which an option on a forward has a given price. The relative error is at most 1e-13 + 2⁻⁷⁰·price/(vega·volatility). The lower bound, to the rounding of the inputs, gives 0.',
  input: exactly({
    price: nonNegative('any currency'),
    ...others,
    time_to_maturity: positive('years'),
  }),
  output: exactly({ implied_volatility: volatility }),
  example: {
    input: {
      price: 0.0008,
      forward: -0.001,
      strike: 0.002,
      risk_free_rate: 0.01,
      time_to_maturity: 1,
      model: 'bachelier',
    },
    output: { implied_volatility: 0.004893579351000986 },
  },
  work: ({ price, forward, strike, risk_free_rate: rate, time_to_maturity, model }) => {
    const own = { price, strike, time_to_maturity, option_type: 'call' as const }
    if (model === 'black_76')
      return impliedVolatilityOperation.work({
        ...own,
        spot: Math.abs(forward),
        risk_free_rate: rate,
        dividend_yield: rate,
      })
    const bound = Math.abs(forward - strike) * Math.exp(-rate * time_to_maturity)
    return rate !== 0 && Math.abs(price - bound) <= 1e-14 * bound ? 400 : 10
  },
  fields: { ...blackScholesOperation.fields!, ...forwardPriceOperation.fields! },
  compute: implied,
})
