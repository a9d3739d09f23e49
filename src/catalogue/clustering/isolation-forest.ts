/** Isolation-forest anomaly detection as an endpoint. */
import { MAX_DESCENTS, MAX_TREES } from '../../limits.ts'
import { DomainError } from '../../numerics/domain-error.ts'
import { isolationForest } from '../../numerics/forest/isolation-forest.ts'
import { limitedMatrix } from '../limited-matrix.ts'
import { operation } from '../operation.ts'
import { exactly, integer, listOf, matrix, number, withDefault } from '../schema.ts'

export const isolationForestOperation = operation({
  path: '/quantlib/ml/clustering/isolation-forest',
  title: 'Isolation forest',
  summary:
    'Anomaly scores of the rows of a matrix by isolation forest (Liu, Ting & Zhou 2008), with trees grown on samples of at most 256 rows. The same request gives the same answer on every machine.',
  input: exactly({
    X: matrix('feature matrix, one row per observation, each column in its own unit'),
    n_trees: withDefault(integer('number of isolation trees', 1, MAX_TREES), 100),
    contamination: withDefault(
      number('expected proportion of outliers; rows of equal score get the same prediction', {
        minimum: 0,
        maximum: 0.5,
      }),
      0.1,
    ),
    random_state: withDefault(
      integer('seed of the random numbers', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
      0,
    ),
  }),
  output: exactly({
    anomaly_scores: listOf(
      number('score', { minimum: 0, maximum: 1 }),
      'one per row of X, 0 to 1; the higher, the more anomalous',
    ),
    predictions: listOf(integer('prediction', -1, 1), 'one per row of X: −1 anomaly, 1 normal'),
    threshold: number(
      'rows with a higher score are anomalies; 1, which no row reaches, where there are none',
    ),
  }),
  example: {
    input: {
      X: [
        [1, 2],
        [1.1, 2.1],
        [0.9, 1.9],
        [1, 2.1],
        [8, 9],
      ],
      contamination: 0.2,
    },
    output: {
      anomaly_scores: [
        0.38860157044259097, 0.44358199945382226, 0.51046010961818, 0.3661862056893602, 0.7592239468738856,
      ],
      predictions: [1, 1, 1, 1, -1],
      threshold: 0.6348420282460328,
    },
  },
  // Where many columns are constant in a branch, each of eight levels may read all of the sample.
  work: ({ X, n_trees }) => {
    const sample = Math.min(256, X.length)
    return (
      100 +
      n_trees * (5 + 0.2 * sample + 0.025 * X.length + 0.002 * sample * X[0].length) +
      0.03 * X.length * X[0].length
    )
  },
  fields: { trees: 'n_trees', seed: 'random_state' },
  compute: ({ X, n_trees, contamination, random_state }) => {
    if (X.length * n_trees > MAX_DESCENTS)
      throw new DomainError(
        'trees',
        `{trees} times the number of rows is ${X.length * n_trees}; at most ${MAX_DESCENTS} is allowed: with ${X.length} rows, use at most ${Math.floor(MAX_DESCENTS / X.length)} trees`,
        { isSentence: true },
      )
    const { scores, threshold } = isolationForest(limitedMatrix(X, 'X'), {
      trees: n_trees,
      contamination,
      seed: random_state,
    })
    return {
      anomaly_scores: Array.from(scores),
      predictions: Array.from(scores, (score) => (score > threshold ? -1 : 1)),
      threshold,
    }
  },
})
