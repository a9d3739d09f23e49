/** Isolation trees, grown on a sample of the rows and stored for fast traversal. */

import { type Random, randomBelow, randomFraction } from '../arithmetic/random.ts'
import type { Matrix } from '../matrices/matrix.ts'

/**
 * A tree as a full binary heap: node 1 is the root, the children of node i are 2i (value ≤ split) and 2i + 1, and after
 * `depth` steps every row is at one of the leaves 2^depth … 2^(depth+1) − 1. A branch that ends earlier continues
 * with nodes that send every row to the left.
 */
export interface IsolationTree {
  readonly depth: number
  readonly column: Uint16Array
  readonly split: Float64Array
  /** Path length by node; set for leaves only. */
  readonly path: Float64Array
}

/** Parameters and buffers that all trees of a forest share. */
export interface ForestPlan {
  readonly depth: number
  /** All row numbers in any order; sampling permutes them. */
  readonly order: Uint32Array
  readonly sampleSize: number
  /** The columns that are not constant, in any order; growing permutes them. */
  readonly columns: Uint16Array
  /** By row, the number of the first row that is equal to it. */
  readonly equalRows: () => Uint32Array
  /** c(n), for leaves that hold n rows. */
  readonly averagePaths: Float64Array
}

/** Constant columns drawn in a node before all of its columns are looked at. */
const MOST_FAILURES = 8

interface Branch {
  readonly node: number
  readonly level: number
  readonly start: number
  readonly end: number
  /** Columns at or after this place in `columns` are constant in this branch. */
  readonly candidates: number
}

/**
 * One tree (Liu, Ting & Zhou 2008, algorithm 2): a uniformly drawn column, a uniform split between its extremes, down to
 * single rows, equal rows or `depth`. A column that is constant in a node is replaced by another, also below that node.
 */
export function growTree(data: Matrix, plan: ForestPlan, random: Random): IsolationTree {
  const { depth, averagePaths } = plan
  const tree = emptyTree(depth)
  const sample = drawSample(plan, random)
  const pending: Branch[] = [
    { node: 1, level: 0, start: 0, end: sample.length, candidates: plan.columns.length },
  ]
  for (let branch = pending.pop(); branch !== undefined; branch = pending.pop()) {
    const { node, level, start, end } = branch
    const choice =
      level < depth && end - start > 1 ? chooseSplit(data, sample, branch, plan, random) : undefined
    if (choice === undefined) {
      tree.path[node * 2 ** (depth - level)] = level + averagePaths[end - start]
      continue
    }
    const { column, split, candidates } = choice
    tree.column[node] = column
    tree.split[node] = split
    const middle = partition(data, sample, branch, choice)
    pending.push({ node: 2 * node + 1, level: level + 1, start: middle, end, candidates })
    pending.push({ node: 2 * node, level: level + 1, start, end: middle, candidates })
  }
  return tree
}

/** A tree without splits, whose leaves have no path lengths yet. */
export function emptyTree(depth: number): IsolationTree {
  const leaves = 2 ** depth
  return {
    depth,
    column: new Uint16Array(leaves),
    split: new Float64Array(leaves).fill(Infinity),
    path: new Float64Array(2 * leaves),
  }
}

/** A uniform sample of row numbers without repetition (Durstenfeld 1964), as a view that growing permutes. */
function drawSample({ order, sampleSize }: ForestPlan, random: Random): Uint32Array {
  for (let place = 0; place < sampleSize; place++) {
    const other = place + randomBelow(random, order.length - place)
    const row = order[other]
    order[other] = order[place]
    order[place] = row
  }
  return order.subarray(0, sampleSize)
}

/** A column that is not constant in the branch, and a split of it; undefined where all rows are equal. */
function chooseSplit(
  data: Matrix,
  sample: Uint32Array,
  branch: Branch,
  plan: ForestPlan,
  random: Random,
): { column: number; split: number; candidates: number } | undefined {
  const { columns } = plan
  let candidates = branch.candidates
  for (let failures = 0; candidates > 0; failures++) {
    // Drawing again and again would read a column of the sample for each constant one; row by row they are read in order.
    if (failures === MOST_FAILURES) candidates = varyingFirst(data, sample, branch, plan, candidates)
    if (candidates === 0) break
    const place = randomBelow(random, candidates)
    const column = columns[place]
    let min = Infinity
    let max = -Infinity
    for (let i = branch.start; i < branch.end; i++) {
      const value = data.values[sample[i] * data.columns + column]
      if (value < min) min = value
      if (value > max) max = value
    }
    if (min < max) return { column, split: splitBetween(min, max, randomFraction(random)), candidates }
    candidates--
    columns[place] = columns[candidates]
    columns[candidates] = column
  }
  return undefined
}

/** Moves the candidates that are not constant in the branch to the front, and returns their number. */
function varyingFirst(
  { values, columns: width }: Matrix,
  sample: Uint32Array,
  { start, end }: Branch,
  { columns, equalRows }: ForestPlan,
  candidates: number,
): number {
  const twins = equalRows()
  const first = sample[start]
  let varying = 0
  for (let i = start + 1; i < end && varying < candidates; i++) {
    const row = sample[i]
    if (twins[row] === twins[first]) continue
    for (let place = varying; place < candidates; place++) {
      const column = columns[place]
      if (values[row * width + column] === values[first * width + column]) continue
      columns[place] = columns[varying]
      columns[varying++] = column
    }
  }
  return varying
}

/** A number in [min, max), so that neither side of `value ≤ split` is empty. */
function splitBetween(min: number, max: number, fraction: number): number {
  const split = min * (1 - fraction) + max * fraction
  return split >= min && split < max ? split : min
}

/** Moves the rows at or below the split to the front; returns the place of the first other row. */
function partition(
  data: Matrix,
  sample: Uint32Array,
  { start, end }: Branch,
  { column, split }: { readonly column: number; readonly split: number },
): number {
  let middle = start
  for (let i = start; i < end; i++) {
    const row = sample[i]
    if (data.values[row * data.columns + column] > split) continue
    sample[i] = sample[middle]
    sample[middle++] = row
  }
  return middle
}
