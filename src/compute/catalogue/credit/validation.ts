/** The endpoints that judge a score of borrowers: its discrimination, and the validation of probabilities of default. */

import { MAX_BINS } from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { discrimination, validation } from '../../../numerics/results/credit.ts'
import { operation } from '../operation.ts'
import { limitNumbers } from '../request-limits.ts'
import { exactly, integer, listOf, nonNegative, number, rowWeights, vector, withDefault } from '../schema.ts'

const share = (description: string) => number(description, { minimum: 0, maximum: 1 })

export const validationOperation = operation({
  path: '/quantlib/ml/credit/validation',
  title: 'Credit validation',
  summary:
    'How well probabilities of default rank and fit: ROC area, Brier score, calibration, Hosmer–Lemeshow test. The area’s error is that of DeLong, DeLong & Clarke-Pearson (1988), the decomposition that of Murphy (1973), which leaves out what varies within bins. A probability that holds 1/n_bins of the rows or more has a bin of its own; Hosmer–Lemeshow is absent if a bin expects 0 or all defaults and differs; a bin that agrees adds 0.',
  input: exactly({
    y_true: vector('1 default, 0 not; both occur', integer('label', 0, 1)),
    y_prob: vector('of default; one per label', share('probability')),
    n_bins: withDefault(integer('of equal count; fewer with ties, more beside own bins', 1, MAX_BINS), 10),
    confidence: withDefault(number('of intervals', { exclusiveMinimum: 0, exclusiveMaximum: 1 }), 0.95),
    weights: rowWeights('rows each stands for'),
  }),
  output: exactly({
    auc_roc: share('ROC area'),
    auc_standard_error: Type.Optional(nonNegative('DeLong; absent, as bounds, with one row of a class')),
    auc_lower: Type.Optional(share('bound; the lower one')),
    auc_upper: Type.Optional(share('bound; the upper one')),
    gini: number('2·AUC − 1', { minimum: -1, maximum: 1 }),
    ks_statistic: share('largest distribution gap'),
    ks_threshold: share('least probability there'),
    brier_score: share('mean (probability − label)²'),
    brier_reliability: share('by bins; weighted by rows: (mean − observed rate)²'),
    brier_resolution: share('by bins; likewise: (observed − overall rate)²'),
    brier_uncertainty: share('overall rate·(1 − rate)'),
    expected_calibration_error: share('by bins; likewise: |mean − observed rate|'),
    hosmer_lemeshow_statistic: Type.Optional(nonNegative('χ²; absent if infinite')),
    hosmer_lemeshow_p_value: Type.Optional(share('bins − 2 degrees; absent below 3 bins')),
    bins: listOf(
      exactly({
        lower: share('least probability'),
        upper: share('greatest'),
        count: nonNegative('rows, or their weight'),
        defaults: nonNegative('defaults, likewise'),
        mean_probability: share('mean'),
        observed_rate: share('share of defaults'),
        lift: nonNegative('over the overall rate'),
      }),
      'ascending; mirrored for 1 − y_true, 1 − y_prob',
    ),
  }),
  example: {
    input: { y_true: [0, 0, 1, 0, 1, 1], y_prob: [0.1, 0.2, 0.3, 0.4, 0.7, 0.9], n_bins: 3 },
    output: {
      auc_roc: 0.8888888888888888,
      auc_standard_error: 0.15713484026367724,
      auc_lower: 0.5809102612556272,
      auc_upper: 1,
      gini: 0.7777777777777778,
      ks_statistic: 0.6666666666666666,
      ks_threshold: 0.2,
      brier_score: 0.13333333333333333,
      brier_reliability: 0.02833333333333334,
      brier_resolution: 0.16666666666666666,
      brier_uncertainty: 0.25,
      expected_calibration_error: 0.16666666666666666,
      hosmer_lemeshow_statistic: 1.050743374272786,
      hosmer_lemeshow_p_value: 0.30533594321152907,
      bins: [
        {
          lower: 0.1,
          upper: 0.2,
          count: 2,
          defaults: 0,
          mean_probability: 0.15000000000000002,
          observed_rate: 0,
          lift: 0,
        },
        {
          lower: 0.3,
          upper: 0.4,
          count: 2,
          defaults: 1,
          mean_probability: 0.35,
          observed_rate: 0.5,
          lift: 1,
        },
        { lower: 0.7, upper: 0.9, count: 2, defaults: 2, mean_probability: 0.8, observed_rate: 1, lift: 2 },
      ],
    },
  },
  work: ({ y_prob, n_bins, weights }) => 20 + 0.2 * y_prob.length + 0.5 * weights.length + 0.3 * n_bins,
  fields: { labels: 'y_true', scores: 'y_prob' },
  compute: (input) => {
    limitNumbers(input.y_true.length + input.y_prob.length + input.weights.length, 'scores')
    return validation(input)
  },
})

/** Discrimination of a credit score as an endpoint. */
export const discriminationOperation = operation({
  path: '/quantlib/ml/credit/discrimination',
  title: 'Credit discrimination',
  summary:
    'How well a score tells defaults apart: area under the ROC curve (Mann–Whitney, ties count one half), Gini coefficient and Kolmogorov–Smirnov statistic of a score against defaults; a higher score means a higher risk.',
  input: exactly({
    y_true: vector('1 default, 0 not; both must occur', integer('label', 0, 1)),
    y_score: vector('probabilities or scores; in any unit, one per label'),
  }),
  output: exactly({
    gini: number('2·AUC − 1; from −1 to 1', { minimum: -1, maximum: 1 }),
    ks_statistic: number('largest gap of the classes; between their distribution functions, from 0 to 1', {
      minimum: 0,
      maximum: 1,
    }),
    auc_roc: number('ROC area; from 0 to 1', { minimum: 0, maximum: 1 }),
    accuracy_ratio: number('equals gini', {
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
