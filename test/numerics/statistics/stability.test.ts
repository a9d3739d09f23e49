/** Score stability: its laws and its edges. Exact values are reference vectors. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { stability } from '../../../src/numerics/statistics/stability.ts'
import { assertRefused } from '../answer.ts'

type Rows = readonly (readonly [label: number, score: number])[]

const of = (rows: Rows, isLabelled: boolean) => ({
  scores: Float64Array.from(rows, ([, score]) => score),
  labels: isLabelled ? Uint8Array.from(rows, ([label]) => label) : new Uint8Array(),
  weights: new Float64Array(),
})
const compare = (expected: Rows, actual: Rows, given: object = {}, isLabelled = true) =>
  stability(of(expected, isLabelled), of(actual, isLabelled), {
    edges: new Float64Array(),
    count: 10,
    isMonotone: false,
    ...given,
  })

const score = fc.oneof(fc.integer({ min: -4, max: 4 }), fc.double({ min: -4, max: 4, noNaN: true }))
const sample = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 1 }), score), { minLength: 2, maxLength: 60 })
  .filter((rows) => new Set(rows.map(([label]) => label)).size === 2)
const edges = Float64Array.of(-4, -2.5, 0, 1, 3, 4)
const count = fc.integer({ min: 1, max: 70 })
const near = (found: number, wanted: number) =>
  assert.ok(Math.abs(found - wanted) <= 1e-13 * (1 + Math.abs(wanted)), `${found}, not ${wanted}`)
const sum = (numbers: readonly number[]) => numbers.reduce((total, value) => total + value, 0)

test('shares sum to 1, contributions are not negative and sum to the index, which is 0 for equal samples', () => {
  fc.assert(
    fc.property(sample, sample, count, (expected, actual, asked) => {
      const { bins, psi } = compare(expected, actual, { count: asked }, false)
      assert.ok(bins.length >= 1 && bins.length <= asked)
      near(sum(bins.map((bin) => bin.expectedShare)), 1)
      near(sum(bins.map((bin) => bin.actualShare)), 1)
      assert.ok(bins.every((bin) => bin.contribution >= 0 && bin.weight === undefined))
      near(sum(bins.map((bin) => bin.contribution)), psi)
      assert.equal(compare(expected, [...expected].reverse(), { count: asked }, false).psi, 0)
    }),
  )
})

test('the index and each information value are symmetric in what they compare', () => {
  fc.assert(
    fc.property(sample, sample, (expected, actual) => {
      const there = compare(expected, actual, { edges })
      const back = compare(actual, expected, { edges })
      near(there.psi, back.psi)
      assert.deepEqual(there.information?.expected, back.information?.actual)
      // Other labels in place of each other turn the sign of every weight.
      const flipped = expected.map(([label, score]) => [1 - label, score] as const)
      const turned = compare(flipped, actual, { edges })
      near(turned.information!.expected, there.information!.expected)
      turned.bins.forEach((bin, i) => {
        near(bin.weight!.expected, -there.bins[i].weight!.expected)
      })
    }),
  )
})

test('no quantile bin is empty of the expected sample, and monotone bins have rates in order', () => {
  fc.assert(
    fc.property(sample, sample, count, (expected, actual, asked) => {
      const { bins } = compare(expected, actual, { count: asked, isMonotone: true })
      const all = compare(expected, actual, { count: asked }).bins
      const bounds = all.flatMap(({ lower, upper }) => [lower, upper])
      const rates = bins.map(({ lower, upper }, k) => {
        const rows = expected.filter(([, s]) => s >= lower && (s < upper || k === bins.length - 1))
        assert.ok(rows.length > 0 && bounds.includes(lower) && bounds.includes(upper))
        return sum(rows.map(([label]) => label)) / rows.length
      })
      const isRising = rates.every((rate, k) => k === 0 || rate >= rates[k - 1])
      assert.ok(isRising || rates.every((rate, k) => k === 0 || rate <= rates[k - 1]), `${rates}`)
    }),
  )
})

test('an increasing change of the scores changes no number but the bounds', () => {
  const numbers = ({ psi, information, bins }: ReturnType<typeof compare>) => ({
    psi,
    information,
    bins: bins.map(({ lower: _, upper: __, ...bin }) => bin),
  })
  fc.assert(
    fc.property(sample, sample, fc.boolean(), (expected, actual, isMonotone) => {
      const changed = (rows: Rows): Rows => rows.map(([label, s]) => [label, 8 * s])
      assert.deepEqual(
        numbers(compare(changed(expected), changed(actual), { isMonotone })),
        numbers(compare(expected, actual, { isMonotone })),
      )
    }),
  )
})

/** Both samples with the weight of each row. */
const weightedBy = (expected: Rows, actual: Rows, weight: (row: number) => number, given: object = {}) => {
  const weighted = (rows: Rows) => ({
    ...of(rows, true),
    weights: Float64Array.from(rows, (_, i) => weight(i)),
  })
  const binning = { edges: new Float64Array(), count: 10, isMonotone: false, ...given }
  return stability(weighted(expected), weighted(actual), binning)
}

test('a row of weight w counts as w rows; all weights times one factor, and equal weights, change nothing', () => {
  const whole = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 60, maxLength: 60 })
  fc.assert(
    fc.property(sample, sample, count, fc.boolean(), whole, (expected, actual, asked, isMonotone, drawn) => {
      const given = { count: asked, isMonotone }
      const repeated = (rows: Rows) => rows.flatMap((row, i) => Array<Rows[number]>(drawn[i]).fill(row))
      const wanted = compare(repeated(expected), repeated(actual), given)
      assert.deepEqual(
        weightedBy(expected, actual, (i) => drawn[i], given),
        wanted,
      )
      // Factors by which the products are doubles.
      for (const factor of [2 ** -27, 0.375, 1e8])
        assert.deepEqual(
          weightedBy(expected, actual, (i) => drawn[i] * factor, given),
          wanted,
        )
      const plain = compare(expected, actual, given)
      for (const equal of [0.1, 1 / 3, 1e-9, 1e9])
        assert.deepEqual(
          weightedBy(expected, actual, () => equal, given),
          plain,
        )
    }),
  )
})

test('an unweighted sample may be compared with a weighted one', () => {
  const rows: Rows = [
    [0, 1],
    [1, 2],
  ]
  const { bins } = stability(
    of(rows, true),
    { ...of(rows, true), weights: Float64Array.of(3, 1) },
    { edges: Float64Array.of(1, 2, 3), count: 10, isMonotone: false },
  )
  assert.deepEqual(
    bins.map((bin) => [bin.expectedShare, bin.actualShare]),
    [
      [0.5, 0.75],
      [0.5, 0.25],
    ],
  )
})

test('a share of 0 is shown as 0 and counts as 0.0001', () => {
  const { bins } = compare(
    [
      [0, 1],
      [1, 3],
    ],
    [
      [0, 3],
      [1, 3],
    ],
    { edges: Float64Array.of(0, 2, 4) },
  )
  assert.equal(bins[0].actualShare, 0)
  near(bins[0].contribution, (0.5 - 0.0001) * Math.log(0.5 / 0.0001))
  near(bins[0].weight!.expected, Math.log(1 / 0.0001))
  assert.equal(bins[0].weight!.actual, 0)
})

test('scores outside the bounds, bounds that do not rise, and labels that are missing are refused', () => {
  const rows: Rows = [
    [0, 1],
    [1, 2],
  ]
  assertRefused('actual.1', () =>
    compare(
      rows,
      [
        [0, 1],
        [1, 9],
      ],
      { edges },
    ),
  )
  assertRefused('edges', () => compare(rows, rows, { edges: Float64Array.of(1) }))
  assertRefused('edges.2', () => compare(rows, rows, { edges: Float64Array.of(0, 1, 1) }))
  assertRefused('monotone', () => compare(rows, rows, { isMonotone: true }, false))
  assertRefused('actualLabels', () => compare(rows, [[0, 1]]))
  assertRefused('actualWeights', () =>
    stability(
      of(rows, true),
      { ...of(rows, true), weights: Float64Array.of(1) },
      { edges, count: 10, isMonotone: false },
    ),
  )
  assertRefused('expectedLabels', () =>
    stability(of(rows, false), of(rows, true), { edges, count: 10, isMonotone: false }),
  )
})
