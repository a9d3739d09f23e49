/** Fitting of an isolation forest that the caller keeps, as an endpoint. */
import { MAX_COLUMNS, MAX_SAMPLES } from '../../../base/limits/callers.ts'
import { DomainError } from '../../../numerics/domain-error.ts'
import { checkNames } from '../../../numerics/forest/column-names.ts'
import { MAX_SAMPLED, writeModel } from '../../../numerics/forest/forest-model.ts'
import { isolationForest } from '../../../numerics/forest/isolation-forest.ts'
import { limitedMatrix } from '../limited-matrix.ts'
import { operation } from '../operation.ts'
import { exactly, integer, number, text, withDefault } from '../schema.ts'
import { columnNames, fewerTrees, forestFields, forestWork, limitDescents } from './isolation-forest.ts'

export const isolationForestFitOperation = operation({
  path: '/quantlib/ml/clustering/isolation-forest/fit',
  title: 'Isolation forest fit',
  summary:
    'Grows an isolation forest (Liu, Ting & Zhou 2008) and returns it as a text, to score rows later. The service keeps nothing of it. The text has a version and a checksum, and is not secret: whoever has it sees some values of X, and column names.',
  input: exactly({
    X: forestFields.X,
    n_trees: forestFields.n_trees,
    max_samples: withDefault(integer('rows of each tree; if X has as many', 2, MAX_SAMPLES), 256),
    contamination: forestFields.contamination,
    random_state: forestFields.random_state,
    columns: columnNames('names, kept in the model'),
  }),
  output: exactly({
    model: text('the forest; send it unchanged to …/score'),
    threshold: number('anomalies have higher scores; 1 where X has none'),
    n_features: integer('columns of X', 1, MAX_COLUMNS),
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
      n_trees: 2,
      contamination: 0.2,
    },
    output: {
      model:
        'UUlGAQIAAgAFAAAArAc1MNRb5D8BytEVtam5EUACZlUDt4rx_z8AAQEAdt7FjCPxPwACAAEAAQKAkgbeZt4WQAHXL60rYlvwPwI8Jr7DIbH_PwABAAIAAQABUjpeqw',
      threshold: 0.63620957770785,
      n_features: 2,
    },
  },
  work: (input) => {
    const samples = Math.min(input.max_samples, input.X.length)
    return forestWork(input, samples) + 0.15 * input.n_trees * samples
  },
  fields: { trees: 'n_trees', seed: 'random_state', samples: 'max_samples' },
  compute: ({ X, n_trees, max_samples, contamination, random_state, columns }) => {
    limitDescents(X.length, n_trees, 'trees', fewerTrees(X.length))
    const sampled = n_trees * Math.min(max_samples, X.length)
    if (sampled > MAX_SAMPLED)
      throw new DomainError(
        'samples',
        `{trees} times the rows of a sample is ${sampled}; at most ${MAX_SAMPLED} is allowed`,
        { isSentence: true },
      )
    checkNames(columns, X[0].length)
    const fitted = isolationForest(limitedMatrix(X), {
      trees: n_trees,
      contamination,
      seed: random_state,
      samples: max_samples,
    })
    return {
      model: writeModel({ ...fitted, names: columns }),
      threshold: fitted.threshold,
      n_features: X[0].length,
    }
  },
})
