/** Outlier detection as an endpoint. */
import { Type } from '../../../base/type.ts'
import { outlierMethods, outliers } from '../../../numerics/statistics/outliers.ts'
import { operation } from '../operation.ts'
import { limitedMatrix } from '../request-limits.ts'
import { exactly, listOf, matrix, oneOf, positive, withDefault } from '../schema.ts'

/** Estimated microseconds per column, and per number of the matrix: the larger of the measured times of long and short columns. */
const MICROS = {
  zscore: { column: 0.05, number: 0.02 },
  iqr: { column: 0.3, number: 0.08 },
  mad: { column: 0.7, number: 0.12 },
} as const

export const outliersOperation = operation({
  path: '/quantlib/ml/preprocessing/outliers',
  title: 'Outlier detection',
  summary:
    'Rows with an outlier in some column: by population standard deviations from the mean (zscore), by interquartile ranges beyond the type-7 quartiles (iqr), or by 0.6745·|x − median|/MAD (mad). A constant column flags nothing.',
  input: exactly({
    X: matrix('a row per observation; each column in its own unit'),
    method: withDefault(oneOf(outlierMethods, 'detection method'), 'zscore'),
    threshold: withDefault(positive('3 is 3-sigma for zscore'), 3),
  }),
  output: exactly({
    outliers: listOf(Type.Boolean(), 'one per row of X; true where the row is an outlier'),
    outlier_indices: listOf(Type.Integer({ minimum: 0 }), 'rows, from 0; of the outliers, ascending'),
  }),
  example: {
    input: { X: [[1], [2], [3], [4], [100]], method: 'iqr', threshold: 1.5 },
    output: { outliers: [false, false, false, false, true], outlier_indices: [4] },
  },
  work: ({ X, method }) => {
    const { column, number } = MICROS[method]
    return 20 + 0.05 * X.length + X[0].length * (column + number * X.length)
  },
  compute: ({ X, method, threshold }) => {
    const flags = Array.from(outliers(limitedMatrix(X), method, threshold), (flag) => flag === 1)
    return { outliers: flags, outlier_indices: flags.flatMap((flag, row) => (flag ? [row] : [])) }
  },
})
