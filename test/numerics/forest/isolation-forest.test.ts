/** The isolation forest: as good as its peers on labelled data, deterministic, and fair to ties. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { referenceCases } from '../../../src/app/cli/selftest/vectors.ts'
import { isolationForestOperation } from '../../../src/compute/catalogue/clustering/isolation-forest.ts'
import { randomFraction, seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { anomalyScore, averagePaths } from '../../../src/numerics/forest/forest-scores.ts'
import {
  type Anomalies,
  equalRows,
  isolationForest,
  isolationForestInSteps,
} from '../../../src/numerics/forest/isolation-forest.ts'
import { flatten } from '../../../src/numerics/matrices/matrix.ts'
import { discrimination } from '../../../src/numerics/statistics/discrimination.ts'
import { cpuTime } from '../../support/time-taken.ts'
import { answer, assertRefused } from '../answer.ts'

interface Case {
  readonly name: string
  readonly input: { readonly X: number[][] }
  readonly anomaly: number[]
  readonly sklearn_auroc_mean: number
  readonly sklearn_auroc_sd: number
}

const grow = (rows: number[][], contamination = 0.1, seed = 0, trees = 100): Anomalies =>
  isolationForest(flatten(rows, 'X'), { trees, contamination, seed })

const flaggedRows = ({ scores, threshold }: Anomalies): number[] =>
  [...scores.keys()].filter((row) => scores[row] > threshold)

function cloud(count: number, columns: number): number[][] {
  const random = seededRandom(1)
  const bell = () => Array.from({ length: 6 }, () => randomFraction(random)).reduce((a, b) => a + b) - 3
  return Array.from({ length: count }, () => Array.from({ length: columns }, bell))
}

const smallMatrix = fc.integer({ min: 1, max: 4 }).chain((columns) =>
  fc.array(fc.array(fc.integer({ min: -3, max: 3 }), { minLength: columns, maxLength: columns }), {
    minLength: 1,
    maxLength: 40,
  }),
)

for (const { name, input, anomaly, sklearn_auroc_mean, sklearn_auroc_sd } of referenceCases<Case>(
  'isolation_forest',
)) {
  test(`the labelled anomalies of ${name} score as high as with scikit-learn`, () => {
    const labels = Uint8Array.from(anomaly)
    const aurocs = Array.from(
      { length: 10 },
      (_, seed) => discrimination(labels, grow(input.X, 0.1, seed).scores).auc,
    )
    const mean = aurocs.reduce((sum, auroc) => sum + auroc) / aurocs.length
    assert.ok(mean >= sklearn_auroc_mean - 3 * sklearn_auroc_sd, `${mean} over ten seeds`)
  })
}

test('the same request gives the same answer, another seed another one', () => {
  const rows = cloud(300, 3)
  assert.deepEqual(grow(rows), grow(rows))
  assert.notDeepEqual(grow(rows, 0.1, 1), grow(rows))
})

test('the scores of a small forest are fixed for ever, to the last bit', () => {
  assert.deepEqual(
    [...grow([[0], [1], [3], [10]], 0.25, 42, 10).scores],
    [0.46403569538621803, 0.42157059727174323, 0.47912086210834254, 0.6597539553870614],
  )
})

test('permuting the rows permutes what is found', () => {
  const rows = [...cloud(200, 2), [9, 9], [-9, 9]]
  assert.deepEqual(flaggedRows(grow(rows, 0.01)), [200, 201])
  assert.deepEqual(flaggedRows(grow(rows.toReversed(), 0.01)), [0, 1])
})

test('increasing a column linearly, or adding a constant one, keeps an outlier the first', () => {
  const rows = [...cloud(100, 2), [8, 8]]
  const changed = rows.map(([a, b]) => [1e6 + a * 1e-3, b, 5])
  for (const variant of [rows, changed]) {
    const { scores } = grow(variant)
    assert.equal(scores.indexOf(Math.max(...scores)), 100)
  }
})

test('round(contamination · rows) rows are flagged where no scores tie', () => {
  const rows = cloud(1_000, 3)
  for (const contamination of [0.001, 0.0014, 0.0015, 0.1, 0.5]) {
    const found = grow(rows, contamination)
    const distinct = new Set(found.scores).size
    assert.ok(distinct > 990)
    const flagged = flaggedRows(found).length
    const asked = Math.round(contamination * rows.length)
    assert.ok(flagged <= asked && flagged >= asked - (1_000 - distinct), `${flagged} of ${asked}`)
  }
})

test('a tie across the cut is left unflagged', () => {
  // Two far rows alike, then one farther alone.
  const rows = [...new Array(20).fill([0]), [50], [50]]
  assert.deepEqual(flaggedRows(grow(rows, 1 / 22)), [])
  assert.deepEqual(flaggedRows(grow(rows, 2 / 22)), [20, 21])
  const three = [...new Array(20).fill([0]), [-500], [50], [50]]
  assert.deepEqual(flaggedRows(grow(three, 2 / 23)), [20])
})

test('nothing is flagged, and the threshold is 1, where all scores are equal or contamination is 0', () => {
  const alike = grow(new Array(300).fill([1, 2]), 0.5)
  assert.deepEqual([...new Set(alike.scores)], [0.5])
  assert.equal(alike.threshold, 1)
  const none = grow(cloud(50, 2), 0)
  assert.deepEqual(flaggedRows(none), [])
  assert.equal(none.threshold, 1)
})

test('a single row scores 0.5 and is normal', () => {
  const data = answer(isolationForestOperation, { X: [[3, 4]], contamination: 0.5 })
  assert.deepEqual(data, { anomaly_scores: [0.5], predictions: [1], threshold: 1 })
})

test('two different rows tie', () => {
  const found = grow([[1], [2]], 0.5)
  assert.deepEqual([...found.scores], [0.5, 0.5])
  assert.deepEqual(flaggedRows(found), [])
})

test('scores lie in 0…1, and predictions follow the threshold with at most the share asked for', () => {
  fc.assert(
    fc.property(smallMatrix, fc.double({ min: 0, max: 0.5, noNaN: true }), (X, contamination) => {
      const data = answer(isolationForestOperation, { X, contamination, n_trees: 7 })
      assert.ok(data.anomaly_scores.every((score) => score > 0 && score < 1))
      const flagged = data.predictions.filter((prediction) => prediction === -1).length
      assert.ok(flagged <= Math.round(contamination * X.length))
      data.predictions.forEach((prediction, row) => {
        assert.equal(prediction, data.anomaly_scores[row] > data.threshold ? -1 : 1)
      })
    }),
  )
})

test('rows alike score alike', () => {
  fc.assert(
    fc.property(smallMatrix, (rows) => {
      const { scores } = grow([...rows, ...rows], 0.3, 3, 9)
      rows.forEach((_, row) => {
        assert.equal(scores[row], scores[rows.length + row])
      })
    }),
  )
})

test('columns that are constant in the data, or only in a node, give way to others', () => {
  const rows = cloud(60, 1).map(([value], i) => [
    ...new Array(30).fill(7),
    value,
    ...new Array(30).fill(i === 5 ? 1 : 0),
  ])
  const { scores } = grow(rows)
  assert.equal(scores.indexOf(Math.max(...scores)), 5)
})

test('the ends of float64 split like other numbers', () => {
  const rows = [[-1.7e308], [1.7e308], [0], [5e-324], [-5e-324], [1e-310], [1e300], [-0]]
  const { scores } = grow(rows, 0.25)
  assert.ok(scores.every((score) => score > 0 && score < 1))
  assert.equal(scores[2], scores[7])
  assert.ok(scores[0] > scores[2] && scores[1] > scores[2])
})

test('average path lengths are those of binary search trees', () => {
  const paths = averagePaths(256)
  assert.deepEqual([...paths.subarray(0, 3)], [0, 0, 1])
  assert.ok(Math.abs(paths[3] - 5 / 3) < 1e-11)
  // c(256) = 2·H(255) − 510/256.
  assert.ok(Math.abs(paths[256] - 10.248689925634562) < 1e-10)
})

test('the score is 2 to the power of minus the ratio, to within two units in the last place', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 30, noNaN: true }), (ratio) => {
      assert.ok(Math.abs(anomalyScore(ratio, 1) / 2 ** -ratio - 1) <= 2 ** -51)
    }),
  )
  for (let ratio = 0; ratio < 10; ratio++) assert.equal(anomalyScore(ratio, 1), 2 ** -ratio)
})

test('requests beyond the limits are refused before any work', () => {
  const filled = { contamination: 0.1, random_state: 0 }
  const tall = new Array(20_001).fill([1])
  assertRefused('trees', () => isolationForestOperation.compute({ X: tall, n_trees: 1_000, ...filled }))
  const wide = new Array(101).fill(new Array(10_000).fill(0))
  assertRefused('X', () => isolationForestOperation.compute({ X: wide, n_trees: 1, ...filled }))
  assertRefused('X.1', () => answer(isolationForestOperation, { X: [[1], [1, 2]] }))
  assertRefused('trees', () => grow([[1]], 0.1, 0, 0))
  assertRefused('contamination', () => grow([[1]], 0.6))
})

test('columns and rows that do not vary cost next to nothing', () => {
  const width = 10_000
  const zeros = () => Array.from({ length: 100 }, () => new Array<number>(width).fill(0))
  const oneOdd = zeros()
  oneOdd[0] = Array.from({ length: width }, (_, column) => column + 1)
  const sparse = zeros()
  for (let column = 0; column < width; column++) sparse[column % 100][column] = 1
  for (const rows of [zeros(), oneOdd, sparse]) {
    const matrix = flatten(rows, 'X')
    const ms = cpuTime(() => isolationForest(matrix, { trees: 1_000, contamination: 0.1, seed: 0 }))
    // Some 50 ms; where constant columns are drawn again and again, 3 s.
    assert.ok(ms < 1_000, `${ms} ms`)
  }
})

test('rows that were made to have one hash are told apart as fast as others', () => {
  // In whatever state FNV-1a is before a cell, both numbers leave it in the same.
  const words = Uint32Array.of(0, 0x3ff00000, 0x80000000, 0xbff10000)
  const [one, other] = new Float64Array(words.buffer)
  const rows = Array.from({ length: 16_384 }, (_, row) =>
    Array.from({ length: 14 }, (_, column) => ((row >> column) & 1 ? one : other)),
  )
  const matrix = flatten([...rows, ...rows.slice(0, 9).reverse()], 'X')
  assert.deepEqual([...equalRows(matrix)], [...rows.keys(), 8, 7, 6, 5, 4, 3, 2, 1, 0])
  const ms = cpuTime(() => equalRows(matrix))
  // Some 50 ms; each compared with each, 1.5 s and more.
  assert.ok(ms < 1_000, `${ms} ms`)
})

test('a column that does not vary changes no score', () => {
  const rows = cloud(60, 3)
  const wider = rows.map((row) => [7, ...row, 0, -0])
  assert.deepEqual(grow(wider).scores, grow(rows).scores)
})

test('computed in steps, the forest is the same, and a step grows one tree or passes some of the rows', () => {
  const rows = cloud(1_000, 3)
  const steps = isolationForestInSteps(flatten(rows, 'X'), { trees: 100, contamination: 0.1, seed: 0 })
  let count = 0
  let step = steps.next()
  for (; !step.done; step = steps.next()) count++
  assert.deepEqual(step.value, grow(rows))
  assert.equal(count, 104)
})
