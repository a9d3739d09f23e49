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
      const isOwn = ([, score]: Rows[number]) =>
        asked * expected.filter(([, other]) => other === score).length >= expected.length
      assert.ok(bins.length >= 1 && (bins.length <= (asked === 2 ? 3 : asked) || expected.some(isOwn)))
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

test('monotone bins hold expected rows, and have rates in order', () => {
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

const negated = (rows: Rows): Rows => rows.map(([label, s]) => [label, 0 - s])
/** Without neighbouring doubles, between which no bound is. */
const single = sample.map((rows): Rows => rows.map(([label, s]) => [label, Math.fround(s)]))

test('negated samples have the mirrored bins, and keep the index and both information values', () => {
  fc.assert(
    fc.property(single, single, count, fc.nat(), (expected, actual, asked, seed) => {
      const weight = (row: number) => [0.1, 1, 2.5, 1 / 3][(seed >> (row % 16)) & 3]
      const there = weightedBy(expected, actual, weight, { count: asked })
      const back = weightedBy(negated(expected), negated(actual), weight, { count: asked })
      near(back.psi, there.psi)
      near(back.information!.expected, there.information!.expected)
      near(back.information!.actual, there.information!.actual)
      const turned = back.bins.map(({ lower, upper, ...bin }) => ({
        lower: 0 - upper,
        upper: 0 - lower,
        ...bin,
      }))
      assert.deepEqual(turned.reverse(), there.bins)
    }),
    { numRuns: 300 },
  )
})

test('the order of the rows changes no figure', () => {
  fc.assert(
    fc.property(sample, sample, count, fc.infiniteStream(fc.nat()), (expected, actual, asked, keys) => {
      const shuffled = (rows: Rows) =>
        rows
          .map((row) => [keys.next().value as number, row] as const)
          .sort(([a], [b]) => a - b)
          .map(([, row]) => row)
      assert.deepEqual(
        compare(shuffled(expected), shuffled(actual), { count: asked }),
        compare(expected, actual, { count: asked }),
      )
    }),
  )
})

test('a score that holds the share of a bin has a bin of its own, and several scores have several bins', () => {
  fc.assert(
    fc.property(sample, sample, fc.integer({ min: 2, max: 70 }), (expected, actual, asked) => {
      const { bins } = compare(expected, actual, { count: asked })
      const union = [...new Set([...expected, ...actual].map(([, s]) => s + 0))]
      assert.equal(bins.length > 1, union.length > 1)
      const inside = (k: number) =>
        union.filter((s) => s >= bins[k].lower && (s < bins[k].upper || k === bins.length - 1))
      for (const [, score] of expected) {
        if (asked * expected.filter(([, s]) => s === score).length < expected.length) continue
        assert.ok(bins.some((_, k) => inside(k).length === 1 && inside(k)[0] === score))
      }
      // A bin without expected rows is for actual scores only.
      assert.ok(bins.every((bin) => bin.expectedShare > 0 || bin.actualShare > 0))
    }),
  )
})

/** A sample without labels. */
const scored = (...runs: readonly (readonly [score: number, rows: number])[]): Rows =>
  runs.flatMap(([score, rows]) => Array<Rows[number]>(rows).fill([0, score]))
const indexOf = (expected: Rows, actual: Rows, given: object = {}) =>
  compare(expected, actual, given, false).psi

test('a flag or a count of which one value is most of the sample has its index', () => {
  const flag = 0.47 * Math.log(0.5 / 0.03) + (0.5 - 0.97) * Math.log(0.5 / 0.97)
  for (const [few, many] of [
    [1, 0],
    [0, 1],
    [-1, 0],
  ])
    near(indexOf(scored([many, 97], [few, 3]), scored([many, 50], [few, 50])), flag)
  // A value that the expected sample lacks: it counts as 0.0001 there.
  const unseen = (0.5 - 0.0001) * Math.log(0.5 / 0.0001) - 0.5 * Math.log(0.5)
  near(indexOf(scored([0, 100]), scored([0, 50], [1, 50])), unseen)
  near(indexOf(scored([0, 100]), scored([-1, 50], [0, 50])), unseen)
  // Delinquencies: 0 in most rows, then few of each count.
  const counts = scored([0, 95], [1, 3], [2, 1], [3, 1])
  near(
    indexOf(counts, scored([0, 50], [1, 30], [2, 20])),
    0.45 * Math.log(0.5 / 0.05) + 0.45 * Math.log(0.95 / 0.5),
  )
})

test('the information value of a perfect predictor is that of two bins', () => {
  const rows: Rows = [...Array<Rows[number]>(97).fill([0, 0]), ...Array<Rows[number]>(3).fill([1, 1])]
  const { information } = compare(rows, rows)
  near(information!.expected, 2 * (1 - 0.0001) * Math.log(10_000))
})

test('an actual score halfway between two bins counts half in each', () => {
  const expected = scored([1, 1], [2, 1], [4, 1], [5, 1])
  const shares = (actual: Rows) =>
    compare(expected, actual, { count: 2 }, false).bins.map((bin) => bin.actualShare)
  assert.deepEqual(shares(scored([3, 2])), [0.5, 0.5])
  assert.deepEqual(shares(scored([3, 1], [5, 1])), [0.25, 0.75])
  // Bounds that are given belong to the bin above.
  const { bins } = compare(expected, scored([3, 2]), { edges: Float64Array.of(1, 3, 5) }, false)
  assert.deepEqual(
    bins.map((bin) => bin.actualShare),
    [0, 1],
  )
})

test('a row added to a bin without rows, or with too few, does not raise the index', () => {
  const share = fc.integer({ min: 1, max: 1_000 })
  const five = fc.tuple(share, share, share, share, share)
  const others = fc.tuple(...Array<typeof share>(4).fill(fc.integer({ min: 0, max: 1_000 }) as typeof share))
  const bounds = { edges: Float64Array.of(0, 1, 2, 3, 4, 5), count: 10, isMonotone: false }
  const of = (weights: readonly number[]) => {
    const kept = weights.flatMap((weight, bin) => (weight > 0 ? [bin] : []))
    return {
      scores: Float64Array.from(kept, (bin) => bin + 0.5),
      labels: new Uint8Array(),
      weights: Float64Array.from(kept, (bin) => weights[bin]),
    }
  }
  fc.assert(
    fc.property(
      five,
      others,
      fc.nat(4),
      fc.double({ min: 1e-6, max: 1, noNaN: true }),
      (before, drawn, bin, part) => {
        const sumBefore = sum(before)
        const size = sum(drawn)
        fc.pre(size > 0)
        const after = [...drawn.slice(0, bin), 0, ...drawn.slice(bin)]
        const without = stability(of(before), of(after), bounds).psi
        // At most as many rows as the bin expects.
        after[bin] = (part * size * before[bin]) / (sumBefore - before[bin])
        const added = stability(of(before), of(after), bounds).psi
        assert.ok(added <= without * (1 + 1e-13), `${without} to ${added}`)
      },
    ),
    { numRuns: 500 },
  )
  const [expected, actual] = [
    [50, 50],
    [0, 100_000],
  ].map(of)
  const [none, one] = [actual, of([0.5, 100_000])].map((rows) => stability(expected, rows, bounds))
  assert.ok(one.psi < none.psi)
  assert.equal(one.bins[0].contribution, none.bins[0].contribution)
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

test('a share below 0.0001 is shown as it is and counts as 0.0001', () => {
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
  // Bounds that hold every score of both samples are named at once.
  assert.throws(
    () => compare(rows, [[0, -7]], { edges: Float64Array.of(1.5, 4) }, false),
    /must be within \{edges\}, which must hold -7 to 2/,
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
