/** The endpoints of American options: price with Greeks, exercise boundary and implied volatility. */

import { Type } from '../../../base/type.ts'
import { americanBoundaryMicros } from '../../../numerics/options/american/american-boundary.ts'
import { americanMicros } from '../../../numerics/options/american/american-option.ts'
import { boundary, implied, price } from '../../../numerics/results/american.ts'
import { NAMES, optionOf } from '../../../numerics/results/black-scholes.ts'
import { operation } from '../operation.ts'
import { limitWork } from '../request-limits.ts'
import { exactly, listOf, nonNegative, number, vector } from '../schema.ts'
import { blackScholesOperation, impliedVolatilityOperation } from './black-scholes.ts'

const PUT = {
  spot: 100,
  strike: 105,
  risk_free_rate: 0.05,
  volatility: 0.2,
  time_to_maturity: 1,
  option_type: 'put',
} as const

export const americanOperation = operation({
  path: '/quantlib/pricing/american/price',
  title: 'American price',
  summary:
    'Price and Greeks of an American option. They are exact to a relative 1e-10 (delta 1e-8; gamma and theta 1e-7 of the greater of gamma and 1/(spot·σ√T); vega and rhos 1e-7 of the greater of the American and the European one). Computed under Black–Scholes–Merton by the integral over the exercise boundary (Andersen, Lake & Offengenden 2016; with two boundaries Andersen & Lake 2021), or without maturity where exercise is certain before. Refused where many deviations of drift reach the boundary just at maturity, or two boundaries.',
  input: blackScholesOperation.input,
  output: exactly({
    price: number('in the unit of spot'),
    european_price: number('in the unit of spot'),
    early_exercise_premium: number('price less european_price'),
    delta: Type.Optional(number('per unit of spot; ∂V/∂S; the Greeks are absent at a kink')),
    gamma: Type.Optional(number('per unit of spot; ∂²V/∂S²')),
    theta: Type.Optional(number('−∂V/∂T, per year')),
    vega: Type.Optional(number('per 1.00; of volatility, ∂V/∂σ')),
    rho: Type.Optional(number('per 1.00; of rate, ∂V/∂r')),
    dividend_rho: Type.Optional(number('per 1.00; of yield, ∂V/∂q')),
    option_type: blackScholesOperation.output.properties.option_type,
  }),
  example: {
    input: PUT,
    output: {
      price: 8.740171816153207,
      european_price: 7.900441807718143,
      early_exercise_premium: 0.8397300084350647,
      delta: -0.5302937138526789,
      gamma: 0.025777827063385782,
      theta: -2.0670882526061014,
      vega: 37.53661099662662,
      rho: -33.73145694315426,
      dividend_rho: 29.69994430005263,
      option_type: 'put',
    },
  },
  work: (input) => americanMicros(optionOf(input)),
  fields: NAMES,
  compute: price,
})

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
    input: { ...PUT, times: [0, 0.5, 1] },
    output: { critical_prices: [[105], [88.1155958449453], [84.91880981593181]] },
  },
  work: (input) => americanBoundaryMicros(optionOf(input), input.times),
  fields: NAMES,
  compute: (input) => {
    limitWork(americanBoundaryMicros(optionOf(input), input.times), 'times', 'for this option')
    return boundary(input)
  },
})

export const americanImpliedVolatilityOperation = operation({
  path: '/quantlib/pricing/american/implied-volatility',
  title: 'American implied volatility',
  summary:
    'Implied volatility of an American option. The relative error is at most 1e-10·price/(vega·volatility). The least price, without volatility, gives 0.',
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
  work: ({ price, spot, strike, risk_free_rate: r, dividend_yield: q, time_to_maturity: T, option_type }) => {
    const [amount, own, other] = option_type === 'put' ? [strike, r, q] : [spot, q, r]
    if (own < 0 && other < own) return 160_000
    // So far from the strike, or so near its upper bound, only a large volatility has the price, and the boundary falls far.
    const far = Math.abs(Math.log(spot / strike))
    if (far > 40 || price > 0.85 * amount * Math.max(1, Math.exp(-own * T))) return 40_000
    if (far > 5) return 25_000
    // A price with next to no time value takes more steps: the American price hardly changes with a volatility so small.
    const payoff = Math.max(0, option_type === 'put' ? strike - spot : spot - strike)
    const isSlow = price - payoff < 1e-6 * amount
    if (own >= 0 && own < 1e-4 && other < 0) return isSlow ? 90_000 : 40_000
    if (own > 0 && other > own) return isSlow ? 160_000 : 32_000
    return isSlow ? 40_000 : 5_000
  },
  fields: NAMES,
  compute: implied,
})
