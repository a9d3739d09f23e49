/** The exercise boundary of an American option as an endpoint. */
import { americanBoundaryMicros } from '../../../numerics/options/american/american-boundary.ts'
import { boundary } from '../../../numerics/results/american.ts'
import { optionOf } from '../../../numerics/results/black-scholes.ts'
import { limitWork } from '../limited-matrix.ts'
import { operation } from '../operation.ts'
import { exactly, listOf, nonNegative, number, vector } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'

export const americanBoundaryOperation = operation({
  path: '/quantlib/pricing/american/boundary',
  title: 'American exercise boundary',
  summary:
    'Spot prices at which an American option is exercised. They are given by time to maturity, to a relative 1e-8. With negative rates none, or two.',
  input: exactly({
    ...blackScholesOperation.input.properties,
    times: vector('years; up to time_to_maturity', nonNegative('')),
  }),
  output: exactly({
    critical_prices: listOf(listOf(number(''), '0, 1 or 2'), 'by time'),
  }),
  example: {
    input: {
      spot: 100,
      strike: 105,
      risk_free_rate: 0.05,
      volatility: 0.2,
      time_to_maturity: 1,
      option_type: 'put',
      times: [0, 0.5, 1],
    },
    output: { critical_prices: [[105], [88.1155958449453], [84.91880981593181]] },
  },
  work: (input) => americanBoundaryMicros(optionOf(input), input.times),
  fields: blackScholesOperation.fields!,
  compute: (input) => {
    limitWork(americanBoundaryMicros(optionOf(input), input.times), 'times', 'for this option')
    return boundary(input)
  },
})
