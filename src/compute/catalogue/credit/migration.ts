/** Credit rating migration as an endpoint. */
import { MAX_PERIODS, MAX_RATINGS } from '../../../base/limits/callers.ts'
import { flatten } from '../../../numerics/matrices/matrix.ts'
import { migration } from '../../../numerics/results/credit.ts'
import { operation } from '../operation.ts'
import { exactly, integer, matrix, withDefault } from '../schema.ts'

/** Products of such probabilities are below the normal doubles, and take a processor up to thirty times as long. */
const LEAST_USUAL = 1e-130

const hasTiny = (transitions: readonly (readonly number[])[]): boolean =>
  transitions.some((row) => {
    const least = LEAST_USUAL * Math.max(...row)
    return row.some((count) => count > 0 && count < least)
  })

export const migrationOperation = operation({
  path: '/quantlib/ml/credit/migration',
  title: 'Rating migration matrix',
  summary:
    'Transition probabilities from transition counts (cohort method) and their projection over several periods as a Markov chain. A rating without counts is absorbing.',
  input: exactly({
    transitions: matrix(
      'counts, a row per from-rating; square, a column per to-rating',
      { minimum: 0 },
      MAX_RATINGS,
      MAX_RATINGS,
    ),
    periods: withDefault(integer('to project; number of periods', 1, MAX_PERIODS), 1),
  }),
  output: exactly({
    transition_matrix: matrix('probabilities over one period; each row sums to 1'),
    multi_period_matrix: matrix('over the periods; each row sums to 1'),
  }),
  example: {
    input: {
      transitions: [
        [3, 1],
        [0, 0],
      ],
      periods: 2,
    },
    output: {
      transition_matrix: [
        [0.75, 0.25],
        [0, 1],
      ],
      multi_period_matrix: [
        [0.5625, 0.4375],
        [0, 1],
      ],
    },
  },
  work: ({ transitions, periods }) => {
    const { length } = transitions
    return 20 + 0.15 * length ** 2 + (hasTiny(transitions) ? 0.01 : 0.0012) * length ** 3 * Math.log2(periods)
  },
  fields: { counts: 'transitions' },
  compute: ({ transitions, periods }) => migration({ transitions: flatten(transitions, 'counts'), periods }),
})
