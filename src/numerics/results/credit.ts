/** Results of credit scores and rating migrations, by the names of requests and replies. */
import { defaultProbabilities } from '../matrices/default-probabilities.ts'
import { type Matrix, unflatten } from '../matrices/matrix.ts'
import { migration as migrate } from '../matrices/migration.ts'
import { migrationBootstrap } from '../matrices/migration-bootstrap.ts'
import { type MigrationData, migrationGenerator } from '../matrices/migration-generator.ts'
import { discrimination as discriminate } from '../statistics/discrimination.ts'
import { stability as compare, type Pair } from '../statistics/stability.ts'
import { validation as validate } from '../statistics/validation.ts'

/** An array of JSON, or a typed array of a table in Arrow. */
type Numbers = ArrayLike<number>

interface Scores {
  readonly y_true: Numbers
  readonly y_score: Numbers
}

interface Probabilities {
  readonly y_true: Numbers
  readonly y_prob: Numbers
  readonly n_bins: number
  readonly confidence: number
  readonly weights: Numbers
}

interface Samples {
  readonly expected: Numbers
  readonly actual: Numbers
  readonly edges: Numbers
  readonly n_bins: number
  readonly expected_y_true: Numbers
  readonly actual_y_true: Numbers
  readonly monotone: boolean
  readonly expected_weights: Numbers
  readonly actual_weights: Numbers
}

interface Moves {
  readonly transitions: Matrix
  readonly periods: number
}

interface GeneratorRequest extends Omit<MigrationData, 'counts'> {
  readonly transitions: Matrix
  readonly times: readonly number[]
  readonly bootstrap_samples: number
  readonly confidence: number
  readonly random_state: number
}

export function discrimination({ y_true, y_score }: Scores) {
  const { auc, gini, ks } = discriminate(new Uint8Array(y_true), new Float64Array(y_score))
  return { gini, ks_statistic: ks, auc_roc: auc, accuracy_ratio: gini }
}

export function validation({ y_true, y_prob, n_bins, confidence, weights }: Probabilities) {
  const options = { bins: n_bins, confidence, weights: new Float64Array(weights) }
  const found = validate(new Uint8Array(y_true), new Float64Array(y_prob), options)
  const { lower, upper, pValue, standardError, statistic } = found
  return {
    auc_roc: found.auc,
    ...(standardError !== undefined && { auc_standard_error: standardError }),
    ...(lower !== undefined && { auc_lower: lower }),
    ...(upper !== undefined && { auc_upper: upper }),
    gini: found.gini,
    ks_statistic: found.ks,
    ks_threshold: found.ksThreshold,
    brier_score: found.brier,
    brier_reliability: found.reliability,
    brier_resolution: found.resolution,
    brier_uncertainty: found.uncertainty,
    expected_calibration_error: found.expectedError,
    ...(statistic !== undefined && { hosmer_lemeshow_statistic: statistic }),
    ...(pValue !== undefined && { hosmer_lemeshow_p_value: pValue }),
    bins: found.bins.map(({ meanProbability, observedRate, ...bin }) => ({
      ...bin,
      mean_probability: meanProbability,
      observed_rate: observedRate,
    })),
  }
}

export function stability(samples: Samples) {
  const [expected, actual] = (['expected', 'actual'] as const).map((name) => ({
    scores: new Float64Array(samples[name]),
    labels: new Uint8Array(samples[`${name}_y_true`]),
    weights: new Float64Array(samples[`${name}_weights`]),
  }))
  const { psi, bins, information } = compare(expected, actual, {
    edges: new Float64Array(samples.edges),
    count: samples.n_bins,
    isMonotone: samples.monotone,
  })
  return {
    psi,
    bins: bins.map(({ lower, upper, expectedShare, actualShare, contribution, weight }) => ({
      lower,
      upper,
      expected_share: expectedShare,
      actual_share: actualShare,
      contribution,
      ...present('weight_of_evidence', weight),
    })),
    ...present('information_value', information),
  }
}

/** Fields without a value are absent. */
const present = (name: string, value: Pair | undefined) => (value === undefined ? {} : { [name]: value })

export function migration({ transitions, periods }: Moves) {
  const { transition, multiPeriod } = migrate(transitions, periods)
  return { transition_matrix: unflatten(transition), multi_period_matrix: unflatten(multiPeriod) }
}

const lostDefaultsWarning = (ratings: readonly number[]) =>
  `The transitions of the ratings at ${ratings.join(', ')} lead to default, but the nearest generator does not: their default probabilities are 0. Use the method duration.`

export function generator(request: GeneratorRequest) {
  const { transitions: counts, exposures, method, times, confidence } = request
  const { bootstrap_samples: samples, random_state: seed } = request
  const data = { counts, exposures, method }
  const { generator, isEmbeddable, lostDefaults } = migrationGenerator(data)
  const found = {
    generator: unflatten(generator),
    embeddable: isEmbeddable,
    default_probabilities: unflatten(defaultProbabilities(generator, times)),
    ...(lostDefaults.length > 0 && { warning: lostDefaultsWarning(lostDefaults) }),
  }
  if (samples === 0) return found
  const { lower, upper } = migrationBootstrap(data, times, { samples, confidence, seed })
  return {
    ...found,
    default_probabilities_lower: unflatten(lower),
    default_probabilities_upper: unflatten(upper),
  }
}
