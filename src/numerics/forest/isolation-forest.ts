/** Anomaly detection by isolation forest. */

import { seededRandom } from '../arithmetic/random.ts'
import { DomainError } from '../domain-error.ts'
import type { Matrix } from '../matrices/matrix.ts'
import { orderStatistics } from '../statistics/order-statistics.ts'
import { depthFor, type Forest, finished, forestScores } from './forest-scores.ts'
import { averagePaths } from './isolation-path.ts'
import { type ForestPlan, growTree, type IsolationTree } from './isolation-tree.ts'
import { equalRows, varyingColumns } from './varying.ts'

export interface ForestOptions {
  readonly trees: number
  /** Expected proportion of anomalies, 0 to 0.5. */
  readonly contamination: number
  /** Any safe integer; the same seed gives the same answer on every machine. */
  readonly seed: number
  /** Rows in each tree's sample, at least 1, where there are as many; by default 256 (Liu, Ting & Zhou 2008, §5.2). */
  readonly samples?: number
}

export interface Anomalies {
  /** Per row, between 0 and 1; the higher, the more anomalous. */
  readonly scores: Float64Array
  /** Rows with a higher score are anomalies; 1, which no row reaches, where there are none. */
  readonly threshold: number
}

export interface FittedForest extends Anomalies {
  readonly forest: Forest
}

const SAMPLES = 256

/**
 * Isolation forest (Liu, Ting & Zhou 2008): scores of all rows from trees grown on samples of them. The
 * round(contamination · rows) highest scores are anomalies, except that rows of equal score are never separated: rows tied
 * with the first row below the cut are normal. A single row scores 0.5.
 */
export const isolationForest = (data: Matrix, options: ForestOptions): FittedForest =>
  finished(isolationForestInSteps(data, options))

/** The same in steps of a few milliseconds, between which the caller may do other work or stop. */
export function* isolationForestInSteps(
  data: Matrix,
  { trees, contamination, seed, samples = SAMPLES }: ForestOptions,
): Generator<void, FittedForest> {
  if (!(trees >= 1 && trees <= 1_000)) throw new DomainError('trees', 'must be between 1 and 1000')
  if (!(contamination >= 0 && contamination <= 0.5))
    throw new DomainError('contamination', 'must be between 0 and 0.5')
  const plan = prepare(data, samples)
  const random = seededRandom(seed)
  const grown: IsolationTree[] = []
  for (let tree = 0; tree < trees; tree++) {
    grown.push(growTree(data, plan, random))
    yield
  }
  const forest = { trees: grown, sampleSize: plan.sampleSize, columns: data.columns }
  const scores = yield* forestScores(data, forest)
  return { forest, scores, threshold: scoreCut(scores, Math.round(contamination * data.rows)) }
}

function prepare(data: Matrix, samples: number): ForestPlan {
  const sampleSize = Math.min(samples, data.rows)
  return {
    sampleSize,
    depth: depthFor(sampleSize),
    order: Uint32Array.from({ length: data.rows }, (_, row) => row),
    columns: varyingColumns(data),
    equalRows: once(() => equalRows(data)),
    averagePaths: averagePaths(sampleSize),
  }
}

/** A function that computes its value at the first call. */
function once<Value extends object>(compute: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= compute()
    return value
  }
}

/** A threshold below the `flagged`-th highest score and not below the next one. */
function scoreCut(scores: Float64Array, flagged: number): number {
  const size = scores.length
  if (flagged === 0 || flagged >= size) return 1
  const [below, lowest] = orderStatistics(scores, [size - flagged - 1, size - flagged])
  if (below < lowest) return between(below, lowest)
  let next = 1
  for (const score of scores) if (score > below && score < next) next = score
  return next === 1 ? 1 : between(below, next)
}

function between(low: number, high: number): number {
  const middle = (low + high) / 2
  return middle < high ? middle : low
}
