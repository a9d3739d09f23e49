/** The Greeks of an option on a forward as an endpoint. */
import { greeks } from '../../../numerics/results/forward.ts'
import { operation } from '../operation.ts'
import { exactly, number } from '../schema.ts'
import { forwardPriceOperation } from './forward-price.ts'

export const forwardGreeksOperation = operation({
  path: '/quantlib/pricing/forward/greeks',
  title: 'Forward option Greeks',
  summary:
    'Greeks of an option on a forward (derivatives of its price at a fixed forward), to a relative 1e-13 (theta: of its larger term). Refused at the kink of a payoff.',
  input: forwardPriceOperation.input,
  output: exactly({
    delta: number('per unit of forward; ∂V/∂F'),
    gamma: number('per unit of forward; ∂²V/∂F²'),
    vega: number('per 1.00 of volatility; ∂V/∂σ'),
    theta: number('−∂V/∂T, per year'),
    rho: number('per 1.00 of rate; ∂V/∂r = −T·V'),
    option_type: forwardPriceOperation.output.properties.option_type,
  }),
  example: {
    input: { forward: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 },
    output: {
      delta: 0.4211755214150779,
      gamma: 0.018778705708824703,
      vega: 37.557411417649405,
      theta: -3.4748624278007956,
      rho: -5.6175742792829055,
      option_type: 'call',
    },
  },
  work: (input) => 3 * forwardPriceOperation.work(input),
  fields: forwardPriceOperation.fields!,
  compute: greeks,
})
