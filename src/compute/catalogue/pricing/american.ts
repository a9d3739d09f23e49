/** Price and Greeks of an American option as an endpoint. */
import { Type } from '../../../base/type.ts'
import { americanMicros } from '../../../numerics/options/american/american-option.ts'
import { price } from '../../../numerics/results/american.ts'
import { optionOf } from '../../../numerics/results/black-scholes.ts'
import { operation } from '../operation.ts'
import { exactly, number } from '../schema.ts'
import { blackScholesOperation } from './black-scholes.ts'

export const americanOperation = operation({
  path: '/quantlib/pricing/american/price',
  title: 'American price',
  summary:
    'Price and Greeks of an option with exercise at any time. They are exact to a relative 1e-10 (delta 1e-8; gamma and theta 1e-7 of the greater of gamma and 1/(spot·σ√T)). Computed under Black–Scholes–Merton by the integral over the exercise boundary (Andersen, Lake & Offengenden 2016; with two boundaries Andersen & Lake 2021), or without maturity where exercise is certain before. Refused where many deviations of drift reach the boundary just at maturity, or two boundaries.',
  input: blackScholesOperation.input,
  output: exactly({
    price: number('in the unit of spot'),
    european_price: number('in the unit of spot'),
    early_exercise_premium: number('price less european_price'),
    delta: Type.Optional(number('per unit of spot; ∂V/∂S; the Greeks are absent at a kink')),
    gamma: Type.Optional(number('per unit of spot; ∂²V/∂S²')),
    theta: Type.Optional(number('−∂V/∂T, per year')),
    option_type: blackScholesOperation.output.properties.option_type,
  }),
  example: {
    input: {
      spot: 100,
      strike: 105,
      risk_free_rate: 0.05,
      volatility: 0.2,
      time_to_maturity: 1,
      option_type: 'put',
    },
    output: {
      price: 8.740171816153207,
      european_price: 7.900441807718143,
      early_exercise_premium: 0.8397300084350647,
      delta: -0.5302937138526789,
      gamma: 0.025777827063385782,
      theta: -2.0670882526061014,
      option_type: 'put',
    },
  },
  work: (input) => americanMicros(optionOf(input)),
  fields: blackScholesOperation.fields!,
  compute: price,
})
