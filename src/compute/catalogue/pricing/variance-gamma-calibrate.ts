/** The calibration of Variance Gamma to quoted options as an endpoint. */
import { LEAST_QUOTES, MAX_QUOTES } from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { calibrationMicros } from '../../../numerics/options/calibration/variance-gamma-search.ts'
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
  text,
  withDefault,
  yesOrNo,
} from '../schema.ts'
import { varianceGammaGreeksOperation, varianceGammaOperation } from './variance-gamma.ts'

const { S, K, r, q } = varianceGammaOperation.input.properties

const parameters = {
  sigma: nonNegative('decimal per year'),
  theta_vg: number('per year'),
  nu: nonNegative('per year'),
}
const rmse = nonNegative('in the unit of S; root mean square of residuals, weighted')
const identifiable = yesOrNo('by the quotes; whether they determine the parameters')
const standardErrors = Type.Optional(
  Type.Object(
    { sigma: nonNegative('of sigma'), theta_vg: nonNegative('of theta_vg'), nu: nonNegative('of nu') },
    {
      additionalProperties: false,
      description: 'where identifiable; with more than 3 quotes of a weight above 0',
    },
  ),
)

export const varianceGammaCalibrateOperation = operation({
  path: '/quantlib/models/variance-gamma/calibrate',
  title: 'Variance Gamma calibration',
  summary:
    'Parameters that fit quoted prices (Madan, Carr & Chang 1998): those with the least weighted squares, by Levenberg–Marquardt (Moré 1978) from 25 starts and across strikes next to the density’s singularity. Implied volatilities are turned into prices. The condition number is that of the derivatives by ln sigma, theta_vg·√nu/sigma and ln nu; from 1e7 on, and where no search settles to 1e-6, as sigma or nu tends to 0 or prices are tiny, the parameters count as not identifiable.',
  input: exactly({
    S,
    r,
    q,
    quotes: recordsOf(
      {
        K,
        T: positive('years to maturity'),
        price: Type.Optional(nonNegative('in the unit of S; this or implied_volatility')),
        implied_volatility: Type.Optional(nonNegative('decimal per year; Black–Scholes')),
        option_type: varianceGammaGreeksOperation.input.properties.option_type,
        weight: withDefault(nonNegative('of the squared residual'), 1),
      },
      'options; refused outside the no-arbitrage bounds',
      LEAST_QUOTES,
      MAX_QUOTES,
    ),
    per_maturity: withDefault(yesOrNo('also fit each T (years) alone'), false),
  }),
  output: exactly({
    ...parameters,
    rmse,
    identifiable,
    standard_errors: standardErrors,
    condition_number: number('at most 1e16'),
    residuals: listOf(Type.Number(), 'model less quoted price; in order'),
    iterations: integer('steps; of all searches', 0, Number.MAX_SAFE_INTEGER),
    maturities: Type.Optional(
      listOf(
        exactly({
          T: positive('years'),
          quotes: integer('with a weight and a time value', 0, MAX_QUOTES),
          sigma: Type.Optional(parameters.sigma),
          theta_vg: Type.Optional(parameters.theta_vg),
          nu: Type.Optional(parameters.nu),
          rmse: Type.Optional(rmse),
          identifiable,
          standard_errors: standardErrors,
          warning: Type.Optional(text('if fewer than 3')),
        }),
        'with per_maturity; ascending',
      ),
    ),
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
      sigma: 0.2119557472953831,
      theta_vg: -0.2370939206621071,
      nu: 0.12202612392618302,
      rmse: 0.007080214947808283,
      identifiable: true,
      standard_errors: {
        sigma: 0.001360602441680711,
        theta_vg: 0.01603940379653865,
        nu: 0.00918851168457061,
      },
      condition_number: 65.5858022142755,
      residuals: [
        0.00855546874316615, -0.010805825405368674, 0.007113370281349063, -0.0030728038985663453,
        0.0008019662527878335,
      ],
      iterations: 196,
    },
  },
  work: ({ quotes, per_maturity }) => {
    const counts = new Map<number, number>()
    for (const { T } of quotes) counts.set(T, (counts.get(T) ?? 0) + 1)
    const single = per_maturity ? [...counts.values()].filter((count) => count >= LEAST_QUOTES) : []
    return [
      ...single.map((count) => calibrationMicros(count, 1)),
      calibrationMicros(quotes.length, counts.size),
    ].reduce((sum, micros) => sum + micros)
  },
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
