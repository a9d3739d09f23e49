/** Scores by an isolation forest that was fitted before, as an endpoint. */
import { MAX_DESCENTS } from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { checkNames, forestFor } from '../../../numerics/forest/column-names.ts'
import { attributions } from '../../../numerics/forest/forest-attributions.ts'
import { modelShape, readModel } from '../../../numerics/forest/forest-model.ts'
import { finished, forestScores } from '../../../numerics/forest/forest-scores.ts'
import { unflatten } from '../../../numerics/matrices/matrix.ts'
import { limitedMatrix } from '../limited-matrix.ts'
import { operation } from '../operation.ts'
import { exactly, matrix, text, withDefault, yesOrNo } from '../schema.ts'
import { columnNames, limitDescents, scoreFields } from './isolation-forest.ts'

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
      model:
        'UUlGAQIAAgAFAAAArAc1MNRb5D8BytEVtam5EUACZlUDt4rx_z8AAQEAdt7FjCPxPwACAAEAAQKAkgbeZt4WQAHXL60rYlvwPwI8Jr7DIbH_PwABAAIAAQABUjpeqw',
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
