/** The Black–Scholes–Merton price as an endpoint. */
import { price } from '../../../numerics/results/black-scholes.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, number, oneOf, positive, withDefault } from '../schema.ts'

const optionType = oneOf(['call', 'put'], 'right to buy or to sell; call: to buy, put: to sell')

const blackScholesInput = exactly({
  spot: positive('any currency'),
  strike: positive('same unit'),
  risk_free_rate: number('decimal per year; continuously compounded'),
  volatility: nonNegative('decimal per year; of the log price'),
  time_to_maturity: nonNegative('years'),
  dividend_yield: withDefault(number('decimal per year; continuously compounded'), 0),
  option_type: withDefault(optionType, 'call'),
})

export const blackScholesOperation = operation({
  path: '/quantlib/pricing/bs/price',
  title: 'Black–Scholes price',
  summary:
    'Price of a European option under Black–Scholes–Merton. The dividend yield is continuous, and the relative error at most 1e-13 however far out of the money. Maturity 0 gives the payoff, volatility 0 the discounted payoff of the forward.',
  input: blackScholesInput,
  output: exactly({
    price: number('in the unit of spot'),
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
