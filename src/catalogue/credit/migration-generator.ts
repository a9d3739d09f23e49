/** Credit rating migration in continuous time as an endpoint. */
import { MAX_PERIODS, MAX_RATINGS, MAX_TIMES } from '../../limits.ts'
import { defaultProbabilities } from '../../numerics/matrices/default-probabilities.ts'
import { flatten, unflatten } from '../../numerics/matrices/matrix.ts'
import { generatorMethods, migrationGenerator } from '../../numerics/matrices/migration-generator.ts'
import { operation } from '../operation.ts'
import { exactly, matrix, number, oneOf, vectorOrNone, withDefault, yesOrNo } from '../schema.ts'

export const migrationGeneratorOperation = operation({
  path: '/quantlib/ml/credit/migration-generator',
  title: 'Rating migration generator',
  summary:
    'Rates of rating migration in continuous time, and probabilities of default at any times. By the logarithm of the cohort matrix (Israel, Rosenthal & Wei 2001), each row replaced by the nearest of a generator (Kreinin & Sidelnikova 2001), or by durations: transitions per rating-year. The last rating is default, and absorbing.',
  input: exactly({
    transitions: matrix(
      'transition counts of a year, square; the last rating is default',
      { minimum: 0 },
      MAX_RATINGS,
      MAX_RATINGS,
    ),
    exposures: withDefault(
      vectorOrNone(
        'for duration: years spent in each rating',
        number('rating-years', { minimum: 0 }),
        MAX_RATINGS,
      ),
      [],
    ),
    method: withDefault(
      oneOf(
        generatorMethods,
        'logarithm of the cohort matrix; duration, without the diagonal of transitions',
      ),
      'logarithm',
    ),
    times: withDefault(
      vectorOrNone('in years', number('time', { minimum: 0, maximum: MAX_PERIODS }), MAX_TIMES),
      [1, 2, 3, 5, 7, 10],
    ),
  }),
  output: exactly({
    generator: matrix('rates per year from row to column; each row sums to 0'),
    embeddable: yesOrNo('whether the principal logarithm of the cohort matrix is a generator itself'),
    default_probabilities: {
      ...matrix('a row per time, a column per rating', { minimum: 0, maximum: 1 }),
      minItems: 0,
    },
  }),
  example: {
    input: {
      transitions: [
        [90, 8, 2],
        [10, 80, 10],
        [0, 0, 1],
      ],
      times: [0.5, 1, 5],
    },
    output: {
      generator: [
        [-0.11072768525369255, 0.09457759765022146, 0.016150087603471083],
        [0.11822199706277663, -0.2289496823164689, 0.11072768525369228],
        [0, 0, 0],
      ],
      embeddable: true,
      default_probabilities: [
        [0.009096754425073685, 0.05256216700706611, 1],
        [0.020000000000000098, 0.09999999999999999, 1],
        [0.14216248000000048, 0.35704280000000005, 1],
      ],
    },
  },
  // Of a matrix: some hundred products and inverses for the logarithm, up to fifty for the squares.
  work: ({ transitions: { length }, times }) =>
    100 + 0.4 * length ** 3 + times.length * (5 + 0.15 * length ** 2),
  fields: { counts: 'transitions' },
  compute: ({ transitions, exposures, method, times }) => {
    const { generator, isEmbeddable } = migrationGenerator(flatten(transitions, 'counts'), exposures, method)
    return {
      generator: unflatten(generator),
      embeddable: isEmbeddable,
      default_probabilities: unflatten(defaultProbabilities(generator, times)),
    }
  },
})
