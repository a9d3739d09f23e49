/** Validation of probabilities: its laws, its edges, and the tails it uses. Exact values are reference vectors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { chiSquareTail } from '../../../src/numerics/statistics/calibration.ts'
import { discrimination } from '../../../src/numerics/statistics/discrimination.ts'
import { normalQuantile, validation } from '../../../src/numerics/statistics/validation.ts'
import { assertRefused } from '../answer.ts'

const judge = (
  labels: readonly number[],
  scores: readonly number[],
  bins = 10,
  confidence = 0.95,
  weights: readonly number[] = [],
) =>
  validation(Uint8Array.from(labels), Float64Array.from(scores), {
    bins,
    confidence,
    weights: Float64Array.from(weights),
  })

const probability = fc.oneof(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 5 }).map((k) => k / 5),
)
/** Labels and probabilities, both classes among them. */
const portfolio = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1 }), probability), { minLength: 2, maxLength: 60 })
  .filter((rows) => new Set(rows.map(([label]) => label)).size === 2)
  .map((rows) => ({ labels: rows.map(([label]) => label), scores: rows.map(([, score]) => score) }))
const count = fc.integer({ min: 1, max: 70 })

test('the area, Gini and KS are those of discrimination', () => {
  fc.assert(
    fc.property(portfolio, ({ labels, scores }) => {
      const { auc, gini, ks } = judge(labels, scores)
      assert.deepEqual({ auc, gini, ks }, discrimination(Uint8Array.from(labels), Float64Array.from(scores)))
    }),
  )
})

test('bins divide the rows, ascend, and are as many as asked for or fewer, if no probability has a bin of its own', () => {
  fc.assert(
    fc.property(portfolio, count, ({ labels, scores }, asked) => {
      const { bins } = judge(labels, scores, asked)
      const own = (score: number) => scores.filter((other) => other === score).length * asked >= scores.length
      assert.ok(bins.length >= 1 && (bins.length <= (asked === 2 ? 3 : asked) || scores.some(own)))
      // Several probabilities have several bins, and a probability with a bin's share of the rows has a bin of its own.
      if (asked > 1 && new Set(scores).size > 1) assert.ok(bins.length > 1)
      for (const score of scores.filter(own))
        assert.ok(bins.some(({ lower, upper }) => asked === 1 || (lower === score && upper === score)))
      for (const [i, bin] of bins.entries()) {
        const rows = scores.filter((score) => score >= bin.lower && score <= bin.upper)
        assert.equal(bin.count, rows.length)
        assert.ok(i === 0 || bin.lower > bins[i - 1].upper)
      }
      assert.equal(
        bins.reduce((sum, bin) => sum + bin.count, 0),
        scores.length,
      )
    }),
  )
})

/** The numbers of rows in the bins of probabilities that are all different. */
const countsOf = (scores: readonly number[], asked: number) =>
  judge(
    scores.map((_, i) => i % 2),
    scores,
    asked,
  ).bins.map((bin) => bin.count)

test('bins of different probabilities differ by at most one row', () => {
  const evenly = (rows: number) => Array.from({ length: rows }, (_, i) => (i + 1) / (rows + 1))
  assert.deepEqual(countsOf(evenly(40), 10), Array(10).fill(4))
  assert.deepEqual(countsOf(evenly(48), 10), [5, 5, 4, 5, 5, 5, 5, 4, 5, 5])
  // The middle row is as near to either neighbour: an even number of bins cannot be the same from both ends.
  assert.deepEqual(countsOf(evenly(47), 10), [5, 5, 6, 5, 5, 5, 6, 5, 5])
  assert.deepEqual(countsOf(evenly(47), 2), [16, 15, 16])
  const uneven = evenly(47).map((score) => score ** 2)
  assert.deepEqual(countsOf(uneven, 10), [5, 4, 5, 5, 5, 4, 5, 5, 4, 5])
  assert.deepEqual(countsOf(uneven.map((score) => 1 - score).reverse(), 10), [5, 4, 5, 5, 4, 5, 5, 5, 4, 5])
})

test('a run of probabilities beside one with a bin of its own has a bin', () => {
  const scores = [0.02, 0.03, 0.04, 0.05, 0.06, ...Array<number>(95).fill(0.5)]
  const labels = scores.map((_, i) => (i > 3 && (i === 99 || i % 2 === 0) ? 1 : 0))
  const { bins, statistic } = judge(labels, scores)
  assert.deepEqual(
    bins.map(({ lower, upper, count }) => [lower, upper, count]),
    [
      [0.02, 0.06, 5],
      [0.5, 0.5, 95],
    ],
  )
  assert.ok(Math.abs(statistic! - 3.3438596491228028) < 1e-12, `${statistic}`)
})

test('with a bin for each probability, the parts of the Brier score sum to it', () => {
  fc.assert(
    fc.property(portfolio, ({ labels, scores }) => {
      const { brier, reliability, resolution, uncertainty } = judge(labels, scores, scores.length)
      assert.ok(Math.abs(brier - (reliability - resolution + uncertainty)) < 1e-15)
    }),
  )
})

const close = (found: number | undefined, wanted: number | undefined, what: string) =>
  assert.ok(
    found === wanted || Math.abs(found! - wanted!) <= 1e-11 * (1 + Math.abs(wanted!)),
    `${what}: ${found}, not ${wanted}`,
  )

test('exchanging the classes and probabilities mirrors the bins and keeps every figure, also where 1 − p is rounded', () => {
  const digits = fc.constantFrom(10, 100, 1_000, 1e5, 1e9, 2 ** 40)
  const weight = fc.constantFrom(0.1, 0.5, 1, 1 / 3, 3, 40)
  const drawn = fc.array(weight, { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(portfolio, count, digits, fc.option(drawn), ({ labels, scores }, asked, to, drawnWeights) => {
      const rounded = scores.map((score) => Math.round((0.001 + 0.998 * score) * to) / to)
      const weights = drawnWeights?.slice(0, labels.length) ?? []
      const there = judge(labels, rounded, asked, 0.95, weights)
      const mirrored = rounded.map((score) => 1 - score)
      const back = judge(
        labels.map((label) => 1 - label),
        mirrored,
        asked,
        0.95,
        weights,
      )
      assert.equal(back.bins.length, there.bins.length)
      there.bins.forEach((bin, k) => {
        const other = back.bins[there.bins.length - 1 - k]
        assert.deepEqual([other.lower, other.upper], [1 - bin.upper, 1 - bin.lower])
        close(other.count, bin.count, 'count')
        close(other.count - other.defaults, bin.defaults, 'defaults')
        close(1 - other.meanProbability, bin.meanProbability, 'mean')
      })
      for (const name of [
        'auc',
        'ks',
        'brier',
        'reliability',
        'resolution',
        'uncertainty',
        'expectedError',
        'standardError',
        'statistic',
        'pValue',
      ] as const)
        close(back[name], there[name], name)
    }),
    { numRuns: 300 },
  )
})

test('the order of the rows changes no figure', () => {
  fc.assert(
    fc.property(portfolio, count, fc.infiniteStream(fc.nat()), ({ labels, scores }, asked, keys) => {
      const order = labels.map((_, i) => [keys.next().value as number, i]).sort(([a], [b]) => a - b)
      const moved = [labels, scores].map((all) => order.map(([, i]) => all[i]))
      assert.deepEqual(judge(moved[0], moved[1], asked), judge(labels, scores, asked))
    }),
  )
})

test('each row twice keeps the shares, and lowers the standard error', () => {
  fc.assert(
    fc.property(portfolio, count, ({ labels, scores }, asked) => {
      const once = judge(labels, scores, asked)
      const twice = judge([...labels, ...labels], [...scores, ...scores], asked)
      for (const name of ['auc', 'ks', 'uncertainty', 'brier'] as const)
        assert.ok(Math.abs(once[name] - twice[name]) < 1e-15, name)
      assert.ok((twice.standardError ?? 0) <= (once.standardError ?? 1))
    }),
  )
})

test('a row of weight w counts as w rows, and weights of one size change the error only', () => {
  fc.assert(
    fc.property(
      portfolio,
      count,
      fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 60 }),
      (rows, asked, drawn) => {
        const { labels, scores } = rows
        const weights = labels.map((_, i) => drawn[i])
        const repeated = labels.flatMap((_, i) => Array<number>(weights[i]).fill(i))
        const [label, score] = [labels, scores].map((all) => repeated.map((i) => all[i]))
        assert.deepEqual(judge(labels, scores, asked, 0.9, weights), judge(label, score, asked, 0.9))
        const third = judge(labels, scores, asked, 0.9, Array(labels.length).fill(1 / 3))
        const plain = judge(labels, scores, asked, 0.9)
        const bounds = ({ bins }: typeof plain) => bins.map(({ lower, upper }) => [lower, upper])
        assert.deepEqual(bounds(third), bounds(plain))
        for (const name of ['auc', 'gini', 'ks', 'brier', 'uncertainty'] as const)
          assert.ok(Math.abs(third[name] - plain[name]) < 1e-13, name)
      },
    ),
  )
})

test('weighted rows of one probability have neither a gap nor an error', () => {
  const labels = [0, 1, 0, 0, 1, 0, 1]
  const { auc, gini, ks, standardError } = judge(
    labels,
    labels.map(() => 0.2),
    10,
    0.95,
    [4, 3.1, 1.2, 0.3, 1.8, 0.7, 0.9],
  )
  assert.deepEqual([auc, gini, ks, standardError], [0.5, 0, 0, 0])
})

test('the largest gap is found exactly, however little a weight adds to it', () => {
  const weights = [1, 5, 4, 1, 1e-9, 7, 3].map((weight) => weight * 1e8 + (weight < 1 ? 1e-9 : 0))
  // The first gap is less than the second by one row whose weight is lost in the sum.
  const { ksThreshold } = judge([1, 1, 1, 1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7], 10, 0.95, weights)
  assert.equal(ksThreshold, 0.5)
})

test('the standard error and the bounds are absent with one row of a class', () => {
  for (const labels of [
    [0, 1, 0],
    [1, 0, 1],
  ]) {
    const { lower, standardError, upper } = judge(labels, [0.1, 0.2, 0.3])
    assert.deepEqual([standardError, lower, upper], [undefined, undefined, undefined])
  }
})

test('the standard error keeps its digits where the weight of a class is next to 1', () => {
  const { standardError } = judge([1, 1, 0, 0], [0.1, 0.5, 0.9, 0.2], 10, 0.95, [3, 2, 1e-9, 1])
  assert.ok(Math.abs(standardError! / 0.4690415755133014 - 1) < 1e-14, String(standardError))
  // Decimals that sum to 1 stand for one row.
  for (const tenths of [[0.1, 0.9], [0.7, 0.1, 0.2], Array<number>(10).fill(0.1)])
    assert.equal(
      judge([...tenths.map(() => 1), 0, 0], [...tenths, 0.5, 0.6], 10, 0.95, [...tenths, 1, 1]).standardError,
      undefined,
    )
})

test('a bin that is certain adds nothing where it is right, and leaves no test where it is wrong', () => {
  assert.equal(judge([0, 0, 1, 1], [0, 0, 1, 1], 2).statistic, 0)
  const wrong = judge([0, 1, 1, 1], [0, 0, 1, 1], 2)
  assert.deepEqual([wrong.statistic, wrong.pValue], [undefined, undefined])
  // Beyond the largest double.
  assert.equal(judge([1, 0], [5e-324, 0.5], 2).statistic, undefined)
})

test('a missing class, unequal lengths, and numbers that are no probabilities are refused', () => {
  assertRefused('labels', () => judge([1], [0.5]))
  assertRefused('scores', () => judge([0, 1], [0.5]))
  assertRefused('scores', () => judge([0, 1], [0.5, 1.5]))
  assertRefused('confidence', () => judge([0, 1], [0.5, 0.5], 10, 1))
  assertRefused('weights', () => judge([0, 1], [0.5, 0.5], 10, 0.9, [1]))
})

test('tails of the normal and of the chi-square distribution agree with tables', () => {
  for (const [tail, z] of [
    [0.5, 0],
    [0.025, 1.959963984540054],
    [0.005, 2.5758293035489004],
    [1e-15, 7.941345326170997],
  ] as const)
    assert.ok(Math.abs(normalQuantile(tail) - z) < 2e-15 * (1 + z), `${tail}`)
  assert.ok(Math.abs(chiSquareTail(normalQuantile(0.025) ** 2, 1) - 0.05) < 1e-15)
  assert.equal(chiSquareTail(0, 7), 1)
  assert.equal(chiSquareTail(1e300, 998), 0)
})

test('a chi-square tail that a double holds has its digits, however far out', () => {
  for (const [statistic, degrees, tail] of [
    [1400, 20, 1.11069246501936e-284],
    [1495, 20, 4.708321037125e-305],
    [1455, 117, 1.42345226154151e-229],
    [1893, 146, 2.93955462120329e-301],
  ])
    assert.ok(Math.abs(chiSquareTail(statistic, degrees) / tail - 1) < 1e-12, `${statistic}, ${degrees}`)
})

test('the chi-square tail falls with the statistic and rises with the degrees', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 3_000, noNaN: true }), fc.integer({ min: 1, max: 998 }), (s, d) => {
      const tail = chiSquareTail(s, d)
      assert.ok(tail >= 0 && tail <= 1)
      assert.ok(chiSquareTail(s * 1.01, d) <= tail * (1 + 1e-13))
      assert.ok(chiSquareTail(s, d + 1) >= tail * (1 - 1e-13))
    }),
  )
})
