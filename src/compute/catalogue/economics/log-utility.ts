/** Logarithmic utility as an endpoint. */
import { utility } from '../../../numerics/results/scalars.ts'
import { operation } from '../operation.ts'
import { exactly, number, positive } from '../schema.ts'

export const logUtilityOperation = operation({
  path: '/quantlib/economics/utility/log',
  title: 'Logarithmic utility',
  summary:
    'Logarithmic utility of wealth: u(w) = ln w, its derivative 1/w and the Arrow–Pratt coefficients of absolute and relative risk aversion.',
  input: exactly({ wealth: positive('any currency') }),
  output: exactly({
    utility: number('ln(wealth), a pure number'),
    marginal_utility: number('1/wealth, per currency unit'),
    absolute_risk_aversion: number('1/wealth, per currency unit'),
    relative_risk_aversion: number('always 1'),
  }),
  example: {
    input: { wealth: 100000 },
    output: {
      utility: 11.512925464970229,
      marginal_utility: 0.00001,
      absolute_risk_aversion: 0.00001,
      relative_risk_aversion: 1,
    },
  },
  work: () => 1,
  compute: utility,
})
