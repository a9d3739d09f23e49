/** The endpoints of options on a forward: price, Greeks and implied volatility. */
import { greeks, implied, NAMES, price } from '../../../numerics/results/forward.ts'
import { operation } from '../operation.ts'
import { exactly, nonNegative, number, oneOf, positive, withDefault } from '../schema.ts'
import { blackScholesOperation, higher, impliedVolatilityOperation } from './black-scholes.ts'

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
  // The forward has the part of the spot, and its rate that of the dividend yield.
  fields: { ...NAMES, spot: 'forward', dividendYield: NAMES.rate },
  compute: price,
})

export const forwardGreeksOperation = operation({
  path: '/quantlib/pricing/forward/greeks',
  title: 'Forward option Greeks',
  summary:
    'Greeks of an option on a forward (derivatives of its price at a fixed forward), to a relative 1e-13 (theta, charm and color: of their largest term; where a distance in deviations is a factor, it counts as at least 0.01). Refused at the kink of a payoff. Vanna to color are absent where they are beyond the range of double precision.',
  input: forwardPriceOperation.input,
  output: exactly({
    delta: number('per unit of forward; ∂V/∂F'),
    gamma: number('per unit of forward; ∂²V/∂F²'),
    vega: number('per 1.00; of volatility, ∂V/∂σ'),
    theta: number('−∂V/∂T, per year'),
    rho: number('per 1.00; of rate, ∂V/∂r = −T·V'),
    vanna: higher('per 1.00; ∂delta/∂σ'),
    volga: higher('per 1.00; ∂vega/∂σ'),
    zomma: higher('per 1.00; ∂gamma/∂σ'),
    charm: higher('per year; −∂delta/∂T'),
    color: higher('per year; −∂gamma/∂T'),
    speed: higher('per unit; ∂gamma/∂F'),
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
      vanna: 0.6458951242997507,
      volga: 9.297713332412753,
      charm: -0.04353073635922118,
      speed: -0.00005262655202661876,
      zomma: -0.08924467187791714,
      color: 0.00986340247323295,
      option_type: 'call',
    },
  },
  work: (input) => 4 * forwardPriceOperation.work(input),
  fields: forwardPriceOperation.fields!,
  compute: greeks,
})

const { volatility, ...others } = forwardPriceOperation.input.properties

export const forwardImpliedVolatilityOperation = operation({
  path: '/quantlib/pricing/forward/implied-volatility',
  title: 'Forward option implied volatility',
  summary:
    'Implied volatility of an option on a forward. The relative error is at most 1e-13 + 2⁻⁷⁰·price/(vega·volatility). The lower bound, to rounding, gives 0.',
  input: exactly({
    price: nonNegative('any currency'),
    ...others,
    time_to_maturity: positive('years'),
  }),
  output: exactly({ implied_volatility: volatility }),
  example: {
    input: {
      price: 0.0008,
      forward: -0.001,
      strike: 0.002,
      risk_free_rate: 0.01,
      time_to_maturity: 1,
      model: 'bachelier',
    },
    output: { implied_volatility: 0.004893579351000986 },
  },
  work: ({ price, forward, strike, risk_free_rate: rate, time_to_maturity, model }) => {
    const own = { price, strike, time_to_maturity, option_type: 'call' as const }
    if (model === 'black_76')
      return impliedVolatilityOperation.work({
        ...own,
        spot: Math.abs(forward),
        risk_free_rate: rate,
        dividend_yield: rate,
      })
    const bound = Math.abs(forward - strike) * Math.exp(-rate * time_to_maturity)
    return rate !== 0 && Math.abs(price - bound) <= 1e-14 * bound ? 400 : 10
  },
  fields: forwardPriceOperation.fields!,
  compute: implied,
})
