/** The Greeks of the Variance Gamma price as an endpoint. */
import { greeks } from '../../../numerics/results/variance-gamma.ts'
import { operation } from '../operation.ts'
import { exactly, number, withDefault } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'
import { isOrdinary, varianceGammaOperation } from './variance-gamma.ts'

const optionType = blackScholesOperation.output.properties.option_type

export const varianceGammaGreeksOperation = operation({
  path: '/quantlib/models/variance-gamma/greeks',
  title: 'Variance Gamma Greeks',
  summary:
    'Price and Greeks of a European call or put under Variance Gamma (Madan, Carr & Chang 1998). Refused at T = 0, and where gamma is infinite.',
  input: exactly({
    ...varianceGammaOperation.input.properties,
    option_type: withDefault(optionType, 'call'),
  }),
  output: exactly({
    price: number('in the unit of S'),
    delta: number('per unit of S; ∂V/∂S'),
    gamma: number('per unit of S; ∂²V/∂S²'),
    d_sigma: number('per 1.00; ∂V/∂sigma'),
    d_theta_vg: number('per 1.00; ∂V/∂theta_vg'),
    d_nu: number('per 1.00; ∂V/∂nu'),
    theta: number('−∂V/∂T, per year'),
    rho: number('per 1.00; ∂V/∂r'),
    option_type: optionType,
  }),
  example: {
    input: { S: 100, K: 105, T: 1, r: 0.05, sigma: 0.2, theta_vg: -0.14, nu: 0.2 },
    output: {
      price: 8.063293498517393,
      delta: 0.5663086292249886,
      gamma: 0.020482879641846297,
      d_sigma: 36.22935280145133,
      d_theta_vg: -4.206274519627345,
      d_nu: 0.21567800505771306,
      theta: -6.597056583080473,
      rho: 48.567569423981084,
      option_type: 'call',
    },
  },
  // Up to 4,000 nodes of 0.2 µs.
  work: (input) => (isOrdinary(input) ? 40 : 400),
  fields: { ...varianceGammaOperation.fields!, type: 'option_type' },
  compute: greeks,
})
