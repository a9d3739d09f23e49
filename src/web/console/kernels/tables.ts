/** Computations on tables in the browser. A table is `{ values, rows, columns }`, where `values` is a Float64Array, row by row. */
// @ts-nocheck: to be converted
import { forestFor } from '../../../numerics/forest/column-names.ts'
import { attributions } from '../../../numerics/forest/forest-attributions.ts'
import { readModel, writeModel } from '../../../numerics/forest/forest-model.ts'
import { forestScores } from '../../../numerics/forest/forest-scores.ts'
import { isolationForestInSteps } from '../../../numerics/forest/isolation-forest.ts'
import { outliers as findOutliers } from '../../../numerics/statistics/outliers.ts'

export const outliers = ({ X, method, threshold }) => counted(findOutliers(X, method, threshold))

/** The flags of rows, and the number of flagged rows. */
export const counted = (flags) => ({
  flags,
  rows: flags.length,
  flagged: flags.reduce((sum, flag) => sum + flag, 0),
})

/** The scores of rows, the highest of them, and the number of those above the threshold. */
export const scored = (scores, threshold) => ({
  scores,
  threshold,
  rows: scores.length,
  flagged: scores.reduce((sum, score) => sum + (score > threshold ? 1 : 0), 0),
  most: scores.reduce((one, other) => Math.max(one, other), 0),
})

/** Computed in steps, because a large table takes a second. */
export function* forest({ X, n_trees, contamination, random_state }) {
  const options = { trees: n_trees, contamination, seed: random_state }
  const { scores, threshold } = yield* isolationForestInSteps(X, options)
  return scored(scores, threshold)
}

export function* forestFit({ X, n_trees, contamination, random_state, max_samples, columns: names = [] }) {
  const options = { trees: n_trees, contamination, seed: random_state, samples: max_samples }
  const fitted = yield* isolationForestInSteps(X, options)
  const model = writeModel({ ...fitted, names })
  return { model, n_features: X.columns, ...scored(fitted.scores, fitted.threshold) }
}

export function* forestScore({ model: text, X, attributions: areWanted, columns: names = [] }) {
  const model = readModel(text)
  const { threshold } = model
  const forest = forestFor(model, names)
  const scores = yield* forestScores(X, forest)
  return { ...scored(scores, threshold), ...(areWanted && { shares: attributions(X, forest).values }) }
}
