/** The Greeks of the Black–Scholes–Merton price as an endpoint. */
import { greeks } from '../../../numerics/results/black-scholes.ts'
import { operation } from '../operation.ts'
import { exactly, number } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'

export const blackScholesGreeksOperation = operation({
  path: '/quantlib/pricing/bs/greeks',
  title: 'Black–Scholes Greeks',
  summary:
    'Greeks of a European option under Black–Scholes–Merton: delta, gamma, vega, theta and rho with a continuous dividend yield, to a relative 1e-14 (theta: of the largest of its terms) however far out of the money. Maturity 0 or volatility 0 gives the derivatives of the discounted payoff of the forward, which is refused only where the forward equals the strike: there delta jumps and gamma is infinite. Closed forms: Black & Scholes 1973, eq. 14, and the other derivatives of their eq. 13; Merton 1973, section 7.',
  input: blackScholesOperation.input,
  output: exactly({
    delta: number('per unit of spot; ∂V/∂S'),
    gamma: number('per unit of spot; ∂²V/∂S², change of delta'),
    vega: number('per 1.00 of volatility; ∂V/∂σ; divide by 100 for a percentage point'),
    theta: number('−∂V/∂T, per year; divide by 365 for a calendar day'),
    rho: number('per 1.00 of rate; ∂V/∂r; divide by 10,000 for a basis point'),
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
      option_type: 'call',
    },
  },
  // A deviation below 2⁻²² may need the log moneyness in fixed-point arithmetic.
  work: ({ volatility, time_to_maturity }) => (volatility * Math.sqrt(time_to_maturity) < 2 ** -22 ? 60 : 6),
  fields: blackScholesOperation.fields!,
  compute: greeks,
})
