/** The endpoints of the isolation forest: scores of one request, the fit of a forest, and scores by a fitted one. */
import type { Static } from 'typebox'
import {
  MAX_COLUMN_NAME_CHARACTERS,
  MAX_COLUMNS,
  MAX_DESCENTS,
  MAX_SAMPLES,
  MAX_TREES,
} from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { DomainError } from '../../../numerics/domain-error.ts'
import { attributions } from '../../../numerics/forest/forest-attributions.ts'
import {
  checkNames,
  forestFor,
  MAX_SAMPLED,
  modelShape,
  readModel,
  writeModel,
} from '../../../numerics/forest/forest-model.ts'
import { finished, forestScores } from '../../../numerics/forest/forest-scores.ts'
import { isolationForest } from '../../../numerics/forest/isolation-forest.ts'
import { unflatten } from '../../../numerics/matrices/matrix.ts'
import { operation } from '../operation.ts'
import { limitedMatrix } from '../request-limits.ts'
import { exactly, integer, listOf, matrix, number, text, withDefault, yesOrNo } from '../schema.ts'

/** The fields of a request for a forest. */
export const forestFields = {
  X: matrix('a row per observation; each column in its own unit'),
  n_trees: withDefault(integer('trees', 1, MAX_TREES), 100),
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

/** Rows of the examples, and a model of them. */
const ROWS: Static<typeof forestFields.X> = [
  [1, 2],
  [1.1, 2.1],
  [0.9, 1.9],
  [1, 2.1],
  [8, 9],
]
const MODEL =
  'UUlGAQIAAgAFAAAArAc1MNRb5D8BytEVtam5EUACZlUDt4rx_z8AAQEAdt7FjCPxPwACAAEAAQKAkgbeZt4WQAHXL60rYlvwPwI8Jr7DIbH_PwABAAIAAQABUjpeqw'

export const isolationForestOperation = operation({
  path: '/quantlib/ml/clustering/isolation-forest',
  title: 'Isolation forest',
  summary:
    'Anomaly scores of rows by isolation forest (Liu, Ting & Zhou 2008), with trees grown on samples of at most 256 rows. The same request gives the same answer on every machine.',
  input: exactly(forestFields),
  output: exactly({
    ...scoreFields,
    threshold: number('anomalies score higher; 1, which no row reaches, where there are none'),
  }),
  example: {
    input: { X: ROWS, contamination: 0.2 },
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

/** Fitting of an isolation forest that the caller keeps, as an endpoint. */
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
    columns: columnNames('names; kept in the model'),
  }),
  output: exactly({
    model: text('the forest; send it unchanged to …/score'),
    threshold: number('anomalies score higher; 1 where X has none'),
    n_features: integer('columns of X', 1, MAX_COLUMNS),
  }),
  example: {
    input: { X: ROWS, n_trees: 2, contamination: 0.2 },
    output: {
      model: MODEL,
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

/** Scores by an isolation forest that was fitted before, as an endpoint. */
export const isolationForestScoreOperation = operation({
  path: '/quantlib/ml/clustering/isolation-forest/score',
  title: 'Isolation forest score',
  summary:
    'Anomaly scores of rows by a fitted forest: on the rows of the fit those of the single request, bit by bit. An attribution is the column’s part of the row’s mean path length: the tests of a path share its length by how much each shortened the path to be expected, so the largest parts of an anomalous row are of the columns that set it apart.',
  input: exactly({
    model: text('the model of a fit'),
    X: matrix('rows to score'),
    attributions: withDefault(yesOrNo('divide paths among columns'), false),
    columns: columnNames('names; in any order if the model has them'),
  }),
  output: exactly({
    ...scoreFields,
    attributions: Type.Optional(
      matrix('if asked for: per row and column; a row sums to its mean path length', { minimum: 0 }),
    ),
  }),
  example: {
    input: {
      model: MODEL,
      X: [
        [1, 2],
        [8, 9],
      ],
      attributions: true,
    },
    output: {
      anomaly_scores: [0.3395176407702595, 0.7633357210640055],
      predictions: [1, -1],
      attributions: [
        [2, 2],
        [0.5, 0.5],
      ],
    },
  },
  work: ({ model, X, attributions }) => {
    const { trees, sampleSize, depth } = modelShape(model) ?? { trees: 0, sampleSize: 0, depth: 0 }
    const descents = trees * X.length * (1 + depth)
    return (
      30 +
      0.02 * model.length +
      (attributions ? 0.4 : 0.1) * trees * sampleSize +
      // The map from path lengths to rows, made once a request.
      (attributions ? 0.5 : 0) * sampleSize +
      (attributions ? 0.03 : 0.003) * descents +
      0.03 * X.length * X[0].length
    )
  },
  compute: (input) => {
    checkNames(input.columns, input.X[0].length)
    const model = readModel(input.model)
    const { threshold } = model
    const forest = forestFor(model, input.columns)
    const [rows, trees] = [input.X.length, forest.trees.length]
    limitDescents(rows, trees, 'X', `send at most ${Math.floor(MAX_DESCENTS / trees)} rows`)
    const X = limitedMatrix(input.X)
    const scores = finished(forestScores(X, forest))
    return {
      anomaly_scores: Array.from(scores),
      predictions: Array.from(scores, (score) => (score > threshold ? -1 : 1)),
      ...(input.attributions && { attributions: unflatten(attributions(X, forest)) }),
    }
  },
})
