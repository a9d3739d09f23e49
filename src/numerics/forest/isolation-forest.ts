/** Anomaly detection by isolation forest. */
import { seededRandom } from '../arithmetic/random.ts'
import { DomainError } from '../domain-error.ts'
import type { Matrix } from '../matrices/matrix.ts'
import { orderStatistics } from '../statistics/order-statistics.ts'
import { averagePaths, depthFor, type Forest, finished, forestScores } from './forest-scores.ts'
import { type ForestPlan, growTree, type IsolationTree } from './isolation-tree.ts'

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

/** The numbers of the columns that are not constant, ascending. */
function varyingColumns({ values, rows, columns }: Matrix): Uint16Array {
  const varies = new Uint8Array(columns)
  let left = columns
  for (let row = 1; row < rows && left > 0; row++) {
    const start = row * columns
    for (let column = 0; column < columns; column++) {
      if (varies[column] === 1 || values[start + column] === values[column]) continue
      varies[column] = 1
      left--
    }
  }
  return Uint16Array.from({ length: columns }, (_, column) => column).filter((column) => varies[column] === 1)
}

/** By row, the number of the first row that is equal to it. Rows of one hash are sorted, however many there are of them. */
export function equalRows({ values, rows, columns }: Matrix): Uint32Array {
  const first = new Uint32Array(rows)
  const byHash = new Map<number, number[]>()
  for (let row = 0; row < rows; row++) {
    const hash = hashOf(values, row * columns, columns)
    const others = byHash.get(hash)
    if (others === undefined) byHash.set(hash, [row])
    else others.push(row)
  }
  const compare = (one: number, other: number) => compared(values, one * columns, other * columns, columns)
  for (const alike of byHash.values()) {
    // A stable sort: of equal rows the first stays first.
    if (alike.length > 1) alike.sort(compare)
    let before = alike[0]
    first[before] = before
    for (const row of alike) {
      first[row] = compare(before, row) === 0 ? first[before] : row
      before = row
    }
  }
  return first
}

const float = new Float64Array(1)
const words = new Uint32Array(float.buffer)

/** FNV-1a (Fowler, Noll & Vo) over 32-bit words, −0 taken as 0. */
function hashOf(values: Float64Array, start: number, count: number): number {
  let hash = 0x811c9dc5
  for (let cell = start; cell < start + count; cell++) {
    float[0] = values[cell] + 0
    hash = Math.imul(hash ^ words[0], 0x01000193)
    hash = Math.imul(hash ^ words[1] ^ (hash >>> 15), 0x01000193)
  }
  return hash
}

/** The sign of the first difference of two rows; 0 where they are equal. */
function compared(values: Float64Array, one: number, other: number, count: number): number {
  for (let cell = 0; cell < count; cell++) {
    const difference = values[one + cell] - values[other + cell]
    if (difference !== 0) return difference
  }
  return 0
}
