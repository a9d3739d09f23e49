/** The Black–Scholes–Merton price as an endpoint. */
import { price } from '../../../numerics/results/black-scholes.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, number, oneOf, positive, withDefault } from '../schema.ts'

const optionType = oneOf(['call', 'put'], 'right to buy (call) or to sell (put)')

const blackScholesInput = exactly({
  spot: positive('of the underlying, in any currency unit'),
  strike: positive('in the same unit'),
  risk_free_rate: number('continuously compounded, per year, as a decimal'),
  volatility: nonNegative('of the log price, per year, as a decimal'),
  time_to_maturity: nonNegative('years'),
  dividend_yield: withDefault(number('continuously compounded, per year'), 0),
  option_type: withDefault(optionType, 'call'),
})

export const blackScholesOperation = operation({
  path: '/quantlib/pricing/bs/price',
  title: 'Black–Scholes price',
  summary:
    'Price of a European option under Black–Scholes–Merton with a continuous dividend yield, with a relative error of at most 1e-13 however far out of the money. Maturity 0 gives the payoff, volatility 0 the discounted payoff of the forward.',
  input: blackScholesInput,
  output: exactly({
    price: number('in the unit of spot and strike'),
    option_type: optionType,
  }),
  example: {
    input: { spot: 100, strike: 105, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 },
    output: { price: 8.021352235143173, option_type: 'call' },
  },
  // A deviation below 2⁻²² may need the log moneyness in fixed-point arithmetic.
  work: ({ volatility, time_to_maturity }) => (volatility * Math.sqrt(time_to_maturity) < 2 ** -22 ? 30 : 2),
  fields: {
    rate: 'risk_free_rate',
    maturity: 'time_to_maturity',
    dividendYield: 'dividend_yield',
    type: 'option_type',
  },
  compute: price,
})
