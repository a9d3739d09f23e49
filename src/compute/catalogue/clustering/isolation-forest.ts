/** Isolation-forest anomaly detection as an endpoint. */
import {
  MAX_COLUMN_NAME_CHARACTERS,
  MAX_COLUMNS,
  MAX_DESCENTS,
  MAX_TREES,
} from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { DomainError } from '../../../numerics/domain-error.ts'
import { isolationForest } from '../../../numerics/forest/isolation-forest.ts'
import { limitedMatrix } from '../limited-matrix.ts'
import { operation } from '../operation.ts'
import { exactly, integer, listOf, matrix, number, withDefault } from '../schema.ts'

/** The fields of a request for a forest. */
export const forestFields = {
  X: matrix('one row per observation; each column in its own unit'),
  n_trees: withDefault(integer('number of trees', 1, MAX_TREES), 100),
  contamination: withDefault(
    number('share of outliers; as expected; rows of equal score get the same prediction', {
      minimum: 0,
      maximum: 0.5,
    }),
    0.1,
  ),
  random_state: withDefault(
    integer('seed; of random numbers', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    0,
  ),
}

/** Names of the columns of X, none by default. */
export const columnNames = (description: string) =>
  withDefault(
    Type.Array(Type.String({ maxLength: MAX_COLUMN_NAME_CHARACTERS }), {
      description,
      maxItems: MAX_COLUMNS,
    }),
    [],
  )

/** The fields of each row in a reply. */
export const scoreFields = {
  anomaly_scores: listOf(
    number('score', { minimum: 0, maximum: 1 }),
    'from 0 to 1; one per row of X, higher if more anomalous',
  ),
  predictions: listOf(integer('prediction', -1, 1), '−1 anomaly, 1 normal; one per row of X'),
}

/** Estimated microseconds. Where many columns are constant in a branch, each level may read all of the sample. */
export function forestWork(
  { X, n_trees }: { readonly X: readonly (readonly number[])[]; readonly n_trees: number },
  samples: number,
): number {
  const sample = Math.min(samples, X.length)
  const depth = Math.ceil(Math.log2(sample + 1))
  return (
    100 +
    n_trees * (5 + 0.025 * depth * sample + 0.003 * depth * X.length + 0.002 * sample * X[0].length) +
    0.03 * X.length * X[0].length
  )
}

/** Refuses a request whose rows times trees exceed the limit. */
export function limitDescents(rows: number, trees: number, parameter: string, advice: string): void {
  if (rows * trees > MAX_DESCENTS)
    throw new DomainError(
      parameter,
      `${parameter === 'trees' ? '{trees}' : 'Trees of the model'} times the number of rows is ${rows * trees}; at most ${MAX_DESCENTS} is allowed: ${advice}`,
      { isSentence: true },
    )
}

/** The advice in a refusal of too many trees. */
export const fewerTrees = (rows: number): string =>
  `with ${rows} rows, use at most ${Math.floor(MAX_DESCENTS / rows)} trees`

export const isolationForestOperation = operation({
  path: '/quantlib/ml/clustering/isolation-forest',
  title: 'Isolation forest',
  summary:
    'Anomaly scores of rows by isolation forest (Liu, Ting & Zhou 2008), with trees grown on samples of at most 256 rows. The same request gives the same answer on every machine.',
  input: exactly(forestFields),
  output: exactly({
    ...scoreFields,
    threshold: number('anomalies have higher scores; 1, which no row reaches, where there are none'),
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
  work: (input) => forestWork(input, 256),
  fields: { trees: 'n_trees', seed: 'random_state' },
  compute: ({ X, n_trees, contamination, random_state }) => {
    limitDescents(X.length, n_trees, 'trees', fewerTrees(X.length))
    const { scores, threshold } = isolationForest(limitedMatrix(X), {
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
