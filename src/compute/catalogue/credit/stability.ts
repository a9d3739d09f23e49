/** Stability of a score between two samples as an endpoint. */
import { MAX_BINS } from '../../../base/limits/callers.ts'
import { Type } from '../../../base/type.ts'
import { stability } from '../../../numerics/results/credit.ts'
import { operation } from '../operation.ts'
import { limitNumbers } from '../request-limits.ts'
import {
  exactly,
  integer,
  listOf,
  nonNegative,
  number,
  rowWeights,
  vector,
  vectorOrNone,
  withDefault,
  yesOrNo,
} from '../schema.ts'

const share = (description: string) => number(description, { minimum: 0, maximum: 1 })
const labels = (description: string) => withDefault(vectorOrNone(description, integer('label', 0, 1)), [])
const both = (item: (description: string) => ReturnType<typeof number>, description: string) =>
  Type.Optional(
    Type.Object(
      { expected: item('of the expected sample'), actual: item('of the actual sample') },
      { additionalProperties: false, description },
    ),
  )

export const stabilityOperation = operation({
  path: '/quantlib/ml/credit/stability',
  title: 'Score stability',
  summary:
    'Population stability index of a score between two samples; by bins, with labels weights of evidence and information value. A share below 0.0001 counts as 0.0001 in logarithms and differences, without renormalising; quantile bins are the same for negated scores, and a score that holds 1/n_bins of expected or more has a bin of its own; rows may have weights; monotone bins pool adjacent violators (Ayer et al. 1955). Index: Siddiqi (2006, ch. 8); weights of evidence: Good (1950).',
  input: exactly({
    expected: vector('development sample'),
    actual: vector('scores to judge'),
    edges: withDefault(
      vectorOrNone(
        'all bounds, rising; [lower, upper), last closed; hold every score',
        Type.Number(),
        MAX_BINS + 1,
      ),
      [],
    ),
    n_bins: withDefault(
      integer('quantiles of expected; without edges; fewer with ties, more beside own bins', 1, MAX_BINS),
      10,
    ),
    expected_y_true: labels('1 default, 0 not'),
    actual_y_true: labels('likewise'),
    monotone: withDefault(yesOrNo('pool bins; until the default rate of expected is monotone'), false),
    expected_weights: rowWeights('rows each stands for'),
    actual_weights: rowWeights('likewise'),
  }),
  output: exactly({
    psi: nonNegative('sum of contributions'),
    bins: listOf(
      exactly({
        lower: number('lower bound, in the bin'),
        upper: number(
          'upper bound, in the last bin only; a score on an inner quantile bound counts half in both',
        ),
        expected_share: share('share of expected'),
        actual_share: share('share of actual'),
        contribution: nonNegative('(actual − expected share)·ln(actual/expected share)'),
        weight_of_evidence: both(number, 'ln(share of non-defaults / share of defaults)'),
      }),
      'ascending',
    ),
    information_value: both(
      nonNegative,
      'over all bins; Σ (share of non-defaults − of defaults)·weight of evidence',
    ),
  }),
  example: {
    input: {
      expected: [1, 2, 3, 4, 5, 6, 7, 8],
      actual: [2, 4, 5, 6, 6, 7, 7, 8],
      edges: [0, 3, 6, 9],
      expected_y_true: [1, 0, 1, 0, 0, 0, 1, 0],
      actual_y_true: [1, 0, 1, 0, 0, 1, 0, 0],
    },
    output: {
      psi: 0.2650329420250114,
      bins: [
        {
          lower: 0,
          upper: 3,
          expected_share: 0.25,
          actual_share: 0.125,
          contribution: 0.08664339756999316,
          weight_of_evidence: { expected: -0.5108256237659907, actual: -8.111728083308073 },
        },
        {
          lower: 3,
          upper: 6,
          expected_share: 0.375,
          actual_share: 0.25,
          contribution: 0.05068313851352055,
          weight_of_evidence: { expected: 0.18232155679395462, actual: -0.5108256237659907 },
        },
        {
          lower: 6,
          upper: 9,
          expected_share: 0.375,
          actual_share: 0.625,
          contribution: 0.12770640594149768,
          weight_of_evidence: { expected: 0.18232155679395462, actual: 0.8754687373538999 },
        },
      ],
      information_value: { expected: 0.09241962407465938, actual: 3.1797603488949786 },
    },
  },
  work: ({ expected, actual, n_bins, edges, monotone, expected_weights, actual_weights }) => {
    const weights = expected_weights.length + actual_weights.length
    const bins = (weights > 0 ? 5 : 2) * Math.max(n_bins, edges.length)
    return 20 + (monotone ? 0.25 : 0.15) * (expected.length + actual.length) + 0.4 * weights + bins
  },
  fields: {
    expectedLabels: 'expected_y_true',
    actualLabels: 'actual_y_true',
    count: 'n_bins',
    expectedWeights: 'expected_weights',
    actualWeights: 'actual_weights',
  },
  compute: (input) => {
    const { expected, expected_y_true, expected_weights, actual, actual_y_true, actual_weights } = input
    const lists = [expected, expected_y_true, expected_weights, actual, actual_y_true, actual_weights]
    limitNumbers(
      lists.reduce((count, { length }) => count + length, 0),
      'actual',
    )
    return stability(input)
  },
})
