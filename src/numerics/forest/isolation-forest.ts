/** Anomaly detection by isolation forest. */
import { DomainError } from '../domain-error.ts'
import type { Matrix } from '../matrices/matrix.ts'
import { orderStatistics } from '../statistics/order-statistics.ts'
import { anomalyScore, averagePaths } from './isolation-path.ts'
import { type ForestPlan, growTree, type IsolationTree } from './isolation-tree.ts'
import { seededRandom } from './random.ts'
import { equalRows, varyingColumns } from './varying.ts'

export interface ForestOptions {
  readonly trees: number
  /** Expected proportion of anomalies, 0 to 0.5. */
  readonly contamination: number
  /** Any safe integer; the same seed gives the same answer on every machine. */
  readonly seed: number
}

export interface Anomalies {
  /** Per row, between 0 and 1; the higher, the more anomalous. */
  readonly scores: Float64Array
  /** Rows with a higher score are anomalies; 1, which no row reaches, where there are none. */
  readonly threshold: number
}

/** Rows in each tree's sample (Liu, Ting & Zhou 2008, §5.2). */
const SAMPLE = 256
/** Rows that pass through all trees before the next block does, so that they stay in the first-level cache. */
const BLOCK = 256

/**
 * Isolation forest (Liu, Ting & Zhou 2008): scores of all rows from trees grown on samples of at most 256 of them. The
 * round(contamination · rows) highest scores are anomalies, except that rows of equal score are never separated: rows tied
 * with the first row below the cut are normal. A single row scores 0.5.
 */
export function isolationForest(data: Matrix, options: ForestOptions): Anomalies {
  const steps = isolationForestInSteps(data, options)
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
}

/** The same in steps of a few milliseconds, between which the caller may do other work or stop. */
export function* isolationForestInSteps(
  data: Matrix,
  { trees, contamination, seed }: ForestOptions,
): Generator<void, Anomalies> {
  if (!(trees >= 1 && trees <= 1_000)) throw new DomainError('trees', 'must be between 1 and 1000')
  if (!(contamination >= 0 && contamination <= 0.5))
    throw new DomainError('contamination', 'must be between 0 and 0.5')
  if (data.rows === 1) return { scores: Float64Array.of(0.5), threshold: 1 }

  const plan = prepare(data)
  const random = seededRandom(seed)
  const forest: IsolationTree[] = []
  for (let tree = 0; tree < trees; tree++) {
    forest.push(growTree(data, plan, random))
    yield
  }
  const scores = yield* sumPaths(data, forest)
  const typicalPath = plan.averagePaths[plan.sampleSize]
  for (let row = 0; row < data.rows; row++) scores[row] = anomalyScore(scores[row] / trees, typicalPath)
  return { scores, threshold: scoreCut(scores, Math.round(contamination * data.rows)) }
}

function prepare(data: Matrix): ForestPlan {
  const sampleSize = Math.min(SAMPLE, data.rows)
  return {
    sampleSize,
    depth: 32 - Math.clz32(sampleSize - 1),
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

/** The path length of each row, summed over the trees. */
function* sumPaths(data: Matrix, forest: readonly IsolationTree[]): Generator<void, Float64Array> {
  const sums = new Float64Array(data.rows)
  for (let start = 0; start < data.rows; start += BLOCK) {
    const end = Math.min(start + BLOCK, data.rows)
    for (const tree of forest) addPaths(data, tree, start, end, sums)
    yield
  }
  return sums
}

/**
 * Adds the path lengths of the rows from `start` to `end` in one tree. Four rows descend at once, because their
 * comparisons do not depend on each other, and the comparison is added as a number, because a branch would be
 * mispredicted every second time. Together this is three times as fast as a plain loop.
 */
function addPaths(data: Matrix, tree: IsolationTree, start: number, end: number, sums: Float64Array): void {
  const { values, columns } = data
  const { depth, column, split, path } = tree
  const fours = end - ((end - start) % 4)
  for (let row = start; row < fours; row += 4) {
    const first = row * columns
    const second = first + columns
    const third = second + columns
    const fourth = third + columns
    let a = 1
    let b = 1
    let c = 1
    let d = 1
    for (let level = 0; level < depth; level++) {
      a = 2 * a + +(values[first + column[a]] > split[a])
      b = 2 * b + +(values[second + column[b]] > split[b])
      c = 2 * c + +(values[third + column[c]] > split[c])
      d = 2 * d + +(values[fourth + column[d]] > split[d])
    }
    sums[row] += path[a]
    sums[row + 1] += path[b]
    sums[row + 2] += path[c]
    sums[row + 3] += path[d]
  }
  for (let row = fours; row < end; row++) {
    let node = 1
    for (let level = 0; level < depth; level++)
      node = 2 * node + +(values[row * columns + column[node]] > split[node])
    sums[row] += path[node]
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
