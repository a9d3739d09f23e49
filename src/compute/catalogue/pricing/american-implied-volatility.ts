/** The implied volatility of an American price as an endpoint. */
import { implied } from '../../../numerics/results/american.ts'
import { operation } from '../operation.ts'
import { impliedVolatilityOperation } from './implied-volatility.ts'

export const americanImpliedVolatilityOperation = operation({
  path: '/quantlib/pricing/american/implied-volatility',
  title: 'American implied volatility',
  summary:
    'Volatility at which an American option has a given price. The relative error is at most 1e-10·price/(vega·volatility). The least price, without volatility, gives 0.',
  input: impliedVolatilityOperation.input,
  output: impliedVolatilityOperation.output,
  example: {
    input: {
      price: 9,
      spot: 100,
      strike: 105,
      risk_free_rate: 0.05,
      time_to_maturity: 1,
      option_type: 'put',
    },
    output: { implied_volatility: 0.20690602333866165 },
  },
  // About ten prices, whose boundaries need the most nodes where exercise begins below the strike (calls: above), or is between two.
  work: ({ risk_free_rate: r, dividend_yield: q, option_type }) => {
    const [own, other] = option_type === 'put' ? [r, q] : [q, r]
    if (own < 0 && other < own) return 55_000
    return own > 0 && other > own ? 20_000 : 5_000
  },
  fields: impliedVolatilityOperation.fields!,
  compute: implied,
})
