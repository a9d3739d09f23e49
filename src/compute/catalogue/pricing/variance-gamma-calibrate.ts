/** The calibration of Variance Gamma to quoted options as an endpoint. */
import { LEAST_QUOTES, MAX_QUOTES } from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { calibration } from '../../../numerics/results/variance-gamma.ts'
import { operation } from '../operation.ts'
import {
  exactly,
  integer,
  listOf,
  nonNegative,
  number,
  positive,
  recordsOf,
  withDefault,
  yesOrNo,
} from '../schema.ts'
import { varianceGammaOperation } from './variance-gamma.ts'
import { varianceGammaGreeksOperation } from './variance-gamma-greeks.ts'

const { S, K, r, q } = varianceGammaOperation.input.properties

export const varianceGammaCalibrateOperation = operation({
  path: '/quantlib/models/variance-gamma/calibrate',
  title: 'Variance Gamma calibration',
  summary:
    'Parameters with the least weighted squares of model less quoted prices (Madan, Carr & Chang 1998), by Levenberg–Marquardt (Moré 1978) from several starts. Implied volatilities are turned into prices. The condition number is that of the derivatives by ln sigma, theta_vg·√nu/sigma and ln nu; from 1e7 on, and where the search does not settle to 1e-6, as sigma or nu tends to 0 or prices are tiny, the parameters count as not identifiable.',
  input: exactly({
    S,
    r,
    q,
    quotes: recordsOf(
      {
        K,
        T: positive('time to maturity in years'),
        price: Type.Optional(nonNegative('in the unit of S; this or implied_volatility')),
        implied_volatility: Type.Optional(nonNegative('Black–Scholes, per year, as a decimal')),
        option_type: varianceGammaGreeksOperation.input.properties.option_type,
        weight: withDefault(nonNegative('of the squared residual'), 1),
      },
      'quoted options; refused outside the no-arbitrage bounds',
      LEAST_QUOTES,
      MAX_QUOTES,
    ),
  }),
  output: exactly({
    sigma: nonNegative('per year, as a decimal'),
    theta_vg: number('per year'),
    nu: nonNegative('per year'),
    rmse: nonNegative('root of the weighted mean square of the residuals'),
    identifiable: yesOrNo('whether the quotes determine the parameters'),
    standard_errors: Type.Optional(
      Type.Object(
        { sigma: nonNegative('of sigma'), theta_vg: nonNegative('of theta_vg'), nu: nonNegative('of nu') },
        {
          additionalProperties: false,
          description: 'where identifiable, with more than 3 quotes of a weight above 0',
        },
      ),
    ),
    condition_number: number('at most 1e16'),
    residuals: listOf(Type.Number(), 'model less quoted price, in order'),
    iterations: integer('steps of all searches', 0, Number.MAX_SAFE_INTEGER),
  }),
  example: {
    input: {
      S: 100,
      r: 0.05,
      quotes: [
        { K: 80, T: 0.5, implied_volatility: 0.25 },
        { K: 90, T: 0.5, implied_volatility: 0.235 },
        { K: 100, T: 0.5, implied_volatility: 0.22 },
        { K: 110, T: 0.5, implied_volatility: 0.21 },
        { K: 120, T: 0.5, implied_volatility: 0.205 },
      ],
    },
    output: {
      sigma: 0.21195574729539346,
      theta_vg: -0.23709392066198223,
      nu: 0.1220261239262615,
      rmse: 0.007080214947803743,
      identifiable: true,
      standard_errors: {
        sigma: 0.0013606024416781047,
        theta_vg: 0.01603940379649372,
        nu: 0.0091885116845737,
      },
      condition_number: 65.58580221428194,
      residuals: [
        0.00855546874319224, -0.010805825405350467, 0.007113370281303766, -0.0030728038985960993,
        0.0008019662528422344,
      ],
      iterations: 50,
    },
  },
  // Up to 25 starts and 3 searches of 200 steps; a maturity takes up to 1,000 nodes, a strike usually 40 of them.
  work: ({ quotes }) => 12_000 + 720 * quotes.length + 7_200 * maturitiesOf(quotes),
  fields: {
    spot: 'S',
    strike: 'K',
    maturity: 'T',
    rate: 'r',
    dividendYield: 'q',
    impliedVolatility: 'implied_volatility',
  },
  compute: calibration,
})

const maturitiesOf = (quotes: readonly { readonly T: number }[]) => new Set(quotes.map(({ T }) => T)).size
