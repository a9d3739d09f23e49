/** Computations on tables in the browser. A table is `{ values, rows, columns }`, row by row in a Float64Array. */
import { DomainError } from '../../../numerics/domain-error.ts'
import { attributions } from '../../../numerics/forest/forest-attributions.ts'
import { readModel, writeModel } from '../../../numerics/forest/forest-model.ts'
import { forestScores } from '../../../numerics/forest/forest-scores.ts'
import { isolationForestInSteps } from '../../../numerics/forest/isolation-forest.ts'
import { defaultProbabilities } from '../../../numerics/matrices/default-probabilities.ts'
import { unflatten } from '../../../numerics/matrices/matrix.ts'
import { migration as migrate } from '../../../numerics/matrices/migration.ts'
import { migrationBootstrap } from '../../../numerics/matrices/migration-bootstrap.ts'
import { migrationGenerator } from '../../../numerics/matrices/migration-generator.ts'
import { discrimination as discriminate } from '../../../numerics/statistics/discrimination.ts'
import { outliers as findOutliers } from '../../../numerics/statistics/outliers.ts'
import { stability as compare } from '../../../numerics/statistics/stability.ts'
import { validation as validate } from '../../../numerics/statistics/validation.ts'

export const outliers = ({ X, method, threshold }) => counted(findOutliers(X, method, threshold))

/** Flags of rows, and how many rows have one. */
export const counted = (flags) => ({
  ...{ flags, rows: flags.length },
  flagged: flags.reduce((sum, flag) => sum + flag, 0),
})

/** Scores of rows, the highest one, and how many are above the threshold. */
export const scored = (scores, threshold) => ({
  ...{ scores, threshold, rows: scores.length },
  flagged: scores.reduce((sum, score) => sum + (score > threshold ? 1 : 0), 0),
  most: scores.reduce((one, other) => Math.max(one, other), 0),
})

/** In steps, because it takes a second for a large table. */
export function* forest({ X, n_trees, contamination, random_state }) {
  const options = { trees: n_trees, contamination, seed: random_state }
  const { scores, threshold } = yield* isolationForestInSteps(X, options)
  return scored(scores, threshold)
}

export function* forestFit({ X, n_trees, contamination, random_state, max_samples }) {
  const options = { trees: n_trees, contamination, seed: random_state, samples: max_samples }
  const fitted = yield* isolationForestInSteps(X, options)
  return { model: writeModel(fitted), n_features: X.columns, ...scored(fitted.scores, fitted.threshold) }
}

export function* forestScore({ model, X, attributions: areWanted }) {
  const { forest, threshold } = readModel(model)
  if (X.columns !== forest.columns)
    throw new DomainError('X', `has ${X.columns} columns but {model} was fitted to ${forest.columns}`)
  const scores = yield* forestScores(X, forest)
  return { ...scored(scores, threshold), ...(areWanted && { shares: attributions(X, forest).values }) }
}

export function migration({ transitions, periods }) {
  const { transition, multiPeriod } = migrate(transitions, periods)
  return { transition_matrix: unflatten(transition), multi_period_matrix: unflatten(multiPeriod) }
}

export function generator({ transitions, exposures, method, times, ...values }) {
  const data = { counts: transitions, exposures, method }
  const found = migrationGenerator(data)
  const samples = values.bootstrap_samples
  const { confidence, random_state: seed } = values
  const bounds = samples > 0 && migrationBootstrap(data, times, { samples, confidence, seed })
  return {
    generator: unflatten(found.generator),
    embeddable: found.isEmbeddable,
    default_probabilities: unflatten(defaultProbabilities(found.generator, times)),
    ...(bounds && {
      default_probabilities_lower: unflatten(bounds.lower),
      default_probabilities_upper: unflatten(bounds.upper),
    }),
  }
}

export function discrimination({ y_true, y_score }) {
  const { auc, gini, ks } = discriminate(Uint8Array.from(y_true), y_score)
  return { gini, ks_statistic: ks, auc_roc: auc, accuracy_ratio: gini }
}

/** Undefined fields are absent from the reply. */
export function validation({ y_true, y_prob, n_bins, confidence, weights }) {
  const given = { bins: n_bins, confidence, weights: Float64Array.from(weights) }
  const found = validate(Uint8Array.from(y_true), y_prob, given)
  return {
    auc_roc: found.auc,
    auc_standard_error: found.standardError,
    auc_lower: found.lower,
    auc_upper: found.upper,
    gini: found.gini,
    ks_statistic: found.ks,
    ks_threshold: found.ksThreshold,
    brier_score: found.brier,
    brier_reliability: found.reliability,
    brier_resolution: found.resolution,
    brier_uncertainty: found.uncertainty,
    expected_calibration_error: found.expectedError,
    hosmer_lemeshow_statistic: found.statistic,
    hosmer_lemeshow_p_value: found.pValue,
    bins: found.bins.map(({ meanProbability, observedRate, ...bin }) => ({
      ...bin,
      mean_probability: meanProbability,
      observed_rate: observedRate,
    })),
  }
}

export function stability(given) {
  const [expected, actual] = ['expected', 'actual'].map((name) => ({
    scores: Float64Array.from(given[name]),
    labels: Uint8Array.from(given[`${name}_y_true`]),
    weights: Float64Array.from(given[`${name}_weights`]),
  }))
  const { edges, n_bins: count, monotone: isMonotone } = given
  const { psi, bins, information } = compare(expected, actual, {
    ...{ edges: Float64Array.from(edges), count, isMonotone },
  })
  return {
    psi,
    bins: bins.map(({ expectedShare, actualShare, weight, ...bin }) => ({
      ...bin,
      expected_share: expectedShare,
      actual_share: actualShare,
      weight_of_evidence: weight,
    })),
    information_value: information,
  }
}
