/** AUC, Gini and KS against exact fractions, their symmetries and edges. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { discriminationOperation } from '../../../src/compute/catalogue/credit/validation.ts'
import { seededRandom } from '../../../src/numerics/arithmetic/random.ts'
import { type Discrimination, discrimination } from '../../../src/numerics/statistics/discrimination.ts'
import { assertRefused } from '../answer.ts'

const judge = (labels: readonly number[], scores: readonly number[]) =>
  discrimination(Uint8Array.from(labels), Float64Array.from(scores))

/** Labelled scores with both classes in them and some ties. */
const portfolio = fc
  .array(
    fc.record({
      label: fc.integer({ min: 0, max: 1 }),
      score: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.double({ noNaN: true, noDefaultInfinity: true })),
    }),
    { minLength: 2, maxLength: 60 },
  )
  .filter((rows) => new Set(rows.map(({ label }) => label)).size === 2)

/** The measures by their definition, which compares every pair and every distinct score. */
function byDefinition(labels: readonly number[], scores: readonly number[]): Discrimination {
  const goods = scores.filter((_, i) => labels[i] === 0)
  const bads = scores.filter((_, i) => labels[i] === 1)
  const wins = bads.flatMap((bad) => goods.map((good) => (bad > good ? 2 : bad === good ? 1 : 0) as number))
  const doubled = wins.reduce((sum, win) => sum + win, 0)
  const upTo = (list: readonly number[], score: number) => list.filter((other) => other <= score).length
  const gaps = scores.map((score) =>
    Math.abs(upTo(goods, score) * bads.length - upTo(bads, score) * goods.length),
  )
  const pairs = wins.length
  return { auc: doubled / (2 * pairs), gini: (doubled - pairs) / pairs, ks: Math.max(...gaps) / pairs }
}

test('the counts agree with the definition', () => {
  fc.assert(
    fc.property(portfolio, (rows) => {
      const labels = rows.map(({ label }) => label)
      const scores = rows.map(({ score }) => score)
      assert.deepEqual(judge(labels, scores), byDefinition(labels, scores))
    }),
  )
})

test('an increasing transform of the scores changes nothing', () => {
  fc.assert(
    fc.property(portfolio, (rows) => {
      const labels = rows.map(({ label }) => label)
      const ranks = [...new Set(rows.map(({ score }) => score + 0))].sort((a, b) => a - b)
      const transformed = rows.map(({ score }) => ranks.indexOf(score + 0) ** 3 - 7)
      assert.deepEqual(
        judge(labels, transformed),
        judge(
          labels,
          rows.map(({ score }) => score),
        ),
      )
    }),
  )
})

test('swapping the classes turns AUC into 1 − AUC and keeps KS', () => {
  fc.assert(
    fc.property(portfolio, (rows) => {
      const scores = rows.map(({ score }) => score)
      const there = judge(
        rows.map(({ label }) => label),
        scores,
      )
      const back = judge(
        rows.map(({ label }) => 1 - label),
        scores,
      )
      assert.ok(Math.abs(there.auc + back.auc - 1) < 1e-15)
      assert.ok(there.gini === -back.gini && there.ks === back.ks)
    }),
  )
})

test('long inputs, which are sorted by radix, agree with short ones repeated', () => {
  const random = seededRandom(7)
  const labels = Array.from({ length: 1_000 }, () => random() & 1)
  const scores = labels.map((label) => ((random() % 400) - 150 + 30 * label) / 7)
  const repeat = (list: readonly number[]) => Array.from({ length: 20 }, () => list).flat()
  assert.deepEqual(judge(repeat(labels), repeat(scores)), judge(labels, scores))
})

test('minus zero ties with zero', () => {
  assert.equal(judge([0, 1], [0, -0]).auc, 0.5)
  const zeros = Array.from({ length: 10_000 }, (_, i) => (i % 3 === 0 ? -0 : 0))
  assert.equal(
    judge(
      zeros.map((_, i) => i % 2),
      zeros,
    ).auc,
    0.5,
  )
})

test('the extremes of float64 are told apart', () => {
  const scores = [-1.7e308, -5e-324, 0, 5e-324, 1.7e308]
  assert.deepEqual(judge([0, 0, 1, 1, 1], scores), { auc: 1, gini: 1, ks: 1 })
  assert.deepEqual(judge([1, 1, 0, 0, 0], scores), { auc: 0, gini: -1, ks: 1 })
})

test('a missing class and unequal lengths are refused', () => {
  assertRefused('labels', () => judge([1, 1], [0.1, 0.2]))
  assertRefused('labels', () => judge([0, 0], [0.1, 0.2]))
  assertRefused('scores', () => judge([0, 1], [0.1]))
})

test('more numbers than a request may hold are refused', () => {
  const labels = new Array(500_001).fill(0)
  assertRefused('scores', () => discriminationOperation.compute({ y_true: labels, y_score: labels }))
})
