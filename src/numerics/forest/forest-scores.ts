/** The scores of rows by the trees of a forest, whether they are those it was grown on or others, and the path lengths of which they are made (Liu, Ting & Zhou 2008). */
import { DomainError } from '../domain-error.ts'
import type { Matrix } from '../matrices/matrix.ts'
import type { IsolationTree } from './isolation-tree.ts'

export interface Forest {
  readonly trees: readonly IsolationTree[]
  /** Rows that each tree was grown on. */
  readonly sampleSize: number
  /** Of the rows that it was grown on, and of those that it scores. */
  readonly columns: number
}

/** Rows that pass through all trees before the next block does, so that they stay in the first-level cache. */
const BLOCK = 256

/** The steps of a tree that tells all rows of a sample apart as evenly as it can. */
export const depthFor = (sampleSize: number): number => 32 - Math.clz32(sampleSize - 1)

/** In steps of a few milliseconds. Refuses rows with other columns than those of the fit. */
export function* forestScores(
  data: Matrix,
  { trees, sampleSize, columns }: Forest,
): Generator<void, Float64Array> {
  if (data.columns !== columns)
    throw new DomainError('X', `has ${data.columns} columns but {model} was fitted to ${columns}`)
  // A tree of one row tells nothing, and has no typical path.
  if (sampleSize === 1) return new Float64Array(data.rows).fill(0.5)
  const scores = yield* sumPaths(data, trees)
  const typicalPath = averagePaths(sampleSize)[sampleSize]
  for (let row = 0; row < data.rows; row++)
    scores[row] = anomalyScore(scores[row] / trees.length, typicalPath)
  return scores
}

/** The last value of a generator. */
export function finished<Value>(steps: Generator<void, Value>): Value {
  let step = steps.next()
  while (!step.done) step = steps.next()
  return step.value
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

/**
 * Path lengths are rounded to multiples of 2⁻³⁶ (1.5e-11), so that sums over up to 1,000 trees are exact: rows that reach
 * leaves of the same depths get the same score in any order of the trees.
 */
export const GRID = 2 ** 36

/**
 * c(n) = 2·H(n − 1) − 2(n − 1)/n, the average path length of an unsuccessful search in a binary search tree of n keys
 * (eq. 1, there with an approximation of the harmonic number H; here summed term by term); 0 for n = 1.
 * @returns c(0) … c(largest)
 */
export function averagePaths(largest: number): Float64Array {
  const paths = new Float64Array(largest + 1)
  let harmonic = 0
  for (let n = 2; n <= largest; n++) {
    harmonic += 1 / (n - 1)
    paths[n] = Math.round((2 * harmonic - (2 * (n - 1)) / n) * GRID) / GRID
  }
  return paths
}

/** The rows of a leaf, by what they add to the path: the inverse of `averagePaths`, 1 for 0. */
export const rowsByPath = (paths: Float64Array): Map<number, number> =>
  new Map(Array.from(paths, (path, rows) => [path, rows]))

/**
 * The score 2^(−E(h)/c(n)) (eq. 2) by additions and multiplications only: the last bits of Math.pow may differ between
 * machines.
 * @param meanPath E(h), average path length of the row, at least 0
 * @param typicalPath c(n), greater than 0
 */
export function anomalyScore(meanPath: number, typicalPath: number): number {
  const ratio = meanPath / typicalPath
  const halvings = Math.floor(ratio + 0.5)
  return exponential((halvings - ratio) * Math.LN2) / 2 ** halvings
}

/** Taylor's series of eˣ for |x| ≤ ½·ln 2, where sixteen terms are enough. */
function exponential(x: number): number {
  let sum = 1
  for (let n = 16; n >= 1; n--) sum = 1 + (x * sum) / n
  return sum
}
