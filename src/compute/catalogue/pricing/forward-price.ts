/** The price of an option on a forward as an endpoint. */
import { price } from '../../../numerics/results/forward.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, number, oneOf, withDefault } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'

const { option_type, risk_free_rate, time_to_maturity } = blackScholesOperation.input.properties

const input = exactly({
  forward: number('any currency; above 0 with black_76'),
  strike: number('same unit'),
  risk_free_rate,
  volatility: nonNegative(
    'per year, bachelier in the unit of forward; black_76: of the log price, as a decimal',
  ),
  time_to_maturity,
  option_type,
  model: withDefault(oneOf(['black_76', 'bachelier'], 'lognormal or normal prices'), 'black_76'),
})

export const forwardPriceOperation = operation({
  path: '/quantlib/pricing/forward/price',
  title: 'Forward option price',
  summary:
    'Price of a European option on a forward or future (Black 1976; Bachelier 1900, where prices may be below 0), with a relative error of at most 1e-13.',
  input,
  output: exactly({
    price: number('in the unit of forward'),
    option_type: blackScholesOperation.output.properties.option_type,
  }),
  example: {
    input: {
      forward: 0.02,
      strike: 0.025,
      risk_free_rate: 0.03,
      volatility: 0.006,
      time_to_maturity: 1,
      model: 'bachelier',
    },
    output: { price: 0.0006597373539959278, option_type: 'call' },
  },
  // A deviation below 2⁻²² may need the log moneyness in fixed-point arithmetic.
  work: ({ model, volatility, time_to_maturity }) =>
    model === 'black_76' && volatility * Math.sqrt(time_to_maturity) < 2 ** -22 ? 30 : 3,
  fields: {
    spot: 'forward',
    rate: 'risk_free_rate',
    dividendYield: 'risk_free_rate',
    maturity: 'time_to_maturity',
    type: 'option_type',
  },
  compute: price,
})
