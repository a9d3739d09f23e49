/** Computations on tables in the browser. */
import { attributions } from '../../../numerics/forest/forest-attributions.ts'
import { forestFor, readModel, writeModel } from '../../../numerics/forest/forest-model.ts'
import { forestScores } from '../../../numerics/forest/forest-scores.ts'
import { isolationForestInSteps } from '../../../numerics/forest/isolation-forest.ts'
import type { Matrix } from '../../../numerics/matrices/matrix.ts'
import { outliers as findOutliers, type OutlierMethod } from '../../../numerics/statistics/outliers.ts'

export interface OutlierRequest {
  readonly X: Matrix
  readonly method: OutlierMethod
  readonly threshold: number
}

export interface ForestRequest {
  readonly X: Matrix
  readonly n_trees: number
  readonly contamination: number
  readonly random_state: number
}

export interface FitRequest extends ForestRequest {
  readonly max_samples: number
  /** The names of the columns. */
  readonly columns?: readonly string[]
}

export interface ScoreRequest {
  /** The text of a model. */
  readonly model: string
  readonly X: Matrix
  readonly attributions?: boolean
  readonly columns?: readonly string[]
}

export const outliers = ({ X, method, threshold }: OutlierRequest) =>
  counted(findOutliers(X, method, threshold))

/** The flags of rows, and the number of flagged rows. */
export const counted = (flags: Uint8Array) => ({
  flags,
  rows: flags.length,
  flagged: flags.reduce((sum, flag) => sum + flag, 0),
})

export type CountedRows = Readonly<ReturnType<typeof counted>>

/** The scores of rows, the highest of them, and the number of those above the threshold. */
export const scored = (scores: Float64Array, threshold: number) => ({
  scores,
  threshold,
  rows: scores.length,
  flagged: scores.reduce((sum, score) => sum + (score > threshold ? 1 : 0), 0),
  most: scores.reduce((one, other) => Math.max(one, other), 0),
})

export type ScoredRows = Readonly<ReturnType<typeof scored>>

/** Computed in steps, because a large table takes a second. */
export function* forest({ X, n_trees, contamination, random_state }: ForestRequest) {
  const options = { trees: n_trees, contamination, seed: random_state }
  const { scores, threshold } = yield* isolationForestInSteps(X, options)
  return scored(scores, threshold)
}

export function* forestFit(request: FitRequest) {
  const { X, n_trees, contamination, random_state, max_samples, columns: names = [] } = request
  const options = { trees: n_trees, contamination, seed: random_state, samples: max_samples }
  const fitted = yield* isolationForestInSteps(X, options)
  const model = writeModel({ ...fitted, names })
  return { model, n_features: X.columns, ...scored(fitted.scores, fitted.threshold) }
}

export function* forestScore({ model: text, X, attributions: areWanted, columns: names = [] }: ScoreRequest) {
  const model = readModel(text)
  const { threshold } = model
  const forest = forestFor(model, names)
  const scores = yield* forestScores(X, forest)
  return { ...scored(scores, threshold), ...(areWanted && { shares: attributions(X, forest).values }) }
}
