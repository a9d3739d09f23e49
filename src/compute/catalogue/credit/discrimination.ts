/** Discrimination of a credit score as an endpoint. */
import { discrimination } from '../../../numerics/results/credit.ts'
import { operation } from '../operation.ts'
import { limitNumbers } from '../request-limits.ts'
import { exactly, integer, number, vector } from '../schema.ts'

export const discriminationOperation = operation({
  path: '/quantlib/ml/credit/discrimination',
  title: 'Credit discrimination',
  summary:
    'How well a score tells defaults apart: area under the ROC curve (Mann–Whitney, ties count one half), Gini coefficient and Kolmogorov–Smirnov statistic of a score against defaults; a higher score means a higher risk.',
  input: exactly({
    y_true: vector('0 non-default, 1 default; both must occur', integer('label', 0, 1)),
    y_score: vector('probabilities, or risk scores in any unit; one per label'),
  }),
  output: exactly({
    gini: number('2·AUC − 1; from −1 to 1', { minimum: -1, maximum: 1 }),
    ks_statistic: number(
      'largest gap of the two classes; between their distribution functions, from 0 to 1',
      {
        minimum: 0,
        maximum: 1,
      },
    ),
    auc_roc: number('area under the ROC curve; from 0 to 1', { minimum: 0, maximum: 1 }),
    accuracy_ratio: number('the Gini coefficient', {
      minimum: -1,
      maximum: 1,
    }),
  }),
  example: {
    input: { y_true: [0, 0, 1, 1], y_score: [0.1, 0.4, 0.35, 0.8] },
    output: { gini: 0.5, ks_statistic: 0.5, auc_roc: 0.75, accuracy_ratio: 0.5 },
  },
  work: ({ y_score }) => 20 + 0.1 * y_score.length,
  fields: { labels: 'y_true', scores: 'y_score' },
  compute: (input) => {
    limitNumbers(input.y_true.length + input.y_score.length, 'scores')
    return discrimination(input)
  },
})
