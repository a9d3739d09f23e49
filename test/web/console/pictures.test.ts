/** The pictures draw what the answer states, for any data: ties, constants, negative numbers, one row. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import type { Column } from '../../../src/web/console/data/table.ts'
import { against, seriesOf } from '../../../src/web/console/kernels/against.ts'
import { tables } from '../../../src/web/console/kernels/discrimination-curves.ts'
import { models } from '../../../src/web/console/kernels/models.ts'
import { brief, short } from '../../../src/web/console/numbers.ts'
import { madeUp } from '../../../src/web/console/operation.ts'
import { bars, type Scene } from '../../../src/web/console/pictures/layers.ts'
import { planeOf } from '../../../src/web/console/pictures/plane.ts'
import {
  around,
  evenly,
  evenSample,
  from0,
  histogram,
  visible,
} from '../../../src/web/console/pictures/sampling.ts'

const close = (found: number, wanted: number, tolerance: number, what: string) =>
  assert.ok(Math.abs(found - wanted) <= tolerance, `${what}: ${found}, not ${wanted}`)

const areaBelow = (x: number[], y: number[]) =>
  x.slice(1).reduce((sum, at, i) => sum + ((at - x[i]) * (y[i] + y[i + 1])) / 2, 0)

/** The value of a step curve at a place: that of the last vertex not beyond it. */
const stepAt = (x: number[], y: number[], at: number) => y[x.findLastIndex((place) => place <= at)]

const value = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, min: -1e3, max: 1e3 }),
  fc.constantFrom(0, -0, 1e-300, -5, 1e300, -1e300),
)
const columnOfValues = fc.oneof(
  fc.array(value, { minLength: 1, maxLength: 80 }),
  fc.tuple(value, fc.integer({ min: 1, max: 60 })).map(([one, length]) => Array(length).fill(one)),
)

/** Labels of both classes, and their scores. */
const scored = fc
  .array(fc.tuple(fc.boolean(), value), { minLength: 0, maxLength: 120 })
  .chain((rows) => fc.tuple(fc.constant(rows), value, value))
  .map(([rows, good, bad]) => [...rows, [false, good], [true, bad]] as [boolean, number][])

function discriminated(rows: readonly (readonly [boolean, number])[]) {
  const values = {
    y_true: Float64Array.from(rows, ([isDefault]) => Number(isDefault)),
    y_score: Float64Array.from(rows, ([, score]) => score),
  }
  const { preview, model } = models.mlCreditDiscrimination
  const data = preview(values)
  return { values, data, model: model(values) }
}

function checkDiscrimination(rows: readonly (readonly [boolean, number])[], tolerance: number) {
  const { data, model } = discriminated(rows)
  const { roc, shares } = model
  close(areaBelow(roc.falsePositive, roc.truePositive), data.auc_roc, tolerance, 'drawn area')
  const [, ...all] = tables(model).roc as [unknown, ...[number, number, number][]]
  const [across, up] = [all.map(([, one]) => one), all.map(([, , other]) => other)]
  close(areaBelow(across, up), data.auc_roc, 1e-12, 'area of the CSV')
  close(model.gap, data.ks_statistic, 0, 'widest gap')
  close(Math.abs(model.goodAt - model.badAt), data.ks_statistic, 1e-15, 'length of the bar')
  close(stepAt(shares.score, shares.good, model.at), model.goodAt, tolerance, 'end of the bar')
  close(stepAt(shares.score, shares.bad, model.at), model.badAt, tolerance, 'other end of the bar')
  const [x, y] = model.rocAt
  const isOnCurve = across.some((one, i) => Math.abs(one - x) < 1e-15 && Math.abs((up[i] ?? 2) - y) < 1e-15)
  assert.ok(isOnCurve, 'the dot lies on the curve')
  const distinct = new Set(rows.map(([, score]) => score + 0)).size
  assert.equal(all.length, distinct + 1, 'the origin, and a line for each score')
  assert.equal(tables(model).shares.length, distinct + 1, 'a heading, and a line for each score')
}

test('the area below the ROC curve is the AUC, and both ends of the bar of KS lie on the curves', () => {
  fc.assert(fc.property(scored, (rows) => checkDiscrimination(rows, 1e-12)))
})

test('a long ROC curve is thinned by less than half a pixel, with and without ties', () => {
  for (const digits of [0, 2, 12])
    checkDiscrimination(
      Array.from({ length: 20_000 }, (_, i) => {
        const isDefault = madeUp(i, 1) < 0.1
        return [isDefault, Number((400 * madeUp(i, 2) + (isDefault ? 75 : 0)).toFixed(digits))] as const
      }),
      digits === 0 ? 1e-12 : 1 / 2_048,
    )
})

test('each vertex that is not drawn lies in the cell of drawn ones, and the ends are drawn', () => {
  const list = fc.array(fc.integer({ min: 0, max: 5_000 }), { minLength: 2_100, maxLength: 6_000 })
  const property = fc.property(list, (steps) => {
    let sum = 0
    const y = steps.map((step) => (sum += step ** 3))
    const x = y.map((_, i) => i)
    const places: number[] = visible([x, y])
    assert.deepEqual([places[0], places.at(-1)], [0, x.length - 1])
    places.slice(1).forEach((place, i) => {
      if (place === places[i] + 1) return
      assert.ok(y[place] - y[places[i]] <= (y.at(-1)! - y[0]) / 2_048, `${places[i]} to ${place}`)
      assert.ok(place - places[i] <= x.length / 2_048)
    })
  })
  fc.assert(property, { numRuns: 20 })
})

test('the counts of a histogram sum to the number of values, and its edges hold them', () => {
  const property = fc.property(columnOfValues, fc.integer({ min: 1, max: 60 }), (values, bins) => {
    const { edges, counts } = histogram(values, bins)
    assert.equal(
      counts.reduce((sum: number, count: number) => sum + count, 0),
      values.length,
    )
    assert.ok(edges[0] <= Math.min(...values) && edges.at(-1)! >= Math.max(...values))
    assert.ok(
      edges.every((edge: number, i: number) => Number.isFinite(edge) && (i === 0 || edge >= edges[i - 1])),
    )
  })
  fc.assert(property)
  assert.deepEqual(histogram([-1.7e308, 1.7e308], 2).counts, [1, 1])
})

test('places end at the end that was asked for, and a range is one around any number', () => {
  assert.equal(evenly(0, 0.05, 97).at(-1), 0.05)
  for (const constant of [0, 5e-324, -5e-324, 1e300]) {
    const [from, to] = around([constant])
    assert.ok(from < constant && constant < to, String(constant))
  }
})

test('a bar reaches from 0 to its number, also to one below 0', () => {
  const drawn: number[][] = []
  const ctx = { fillRect: (...bar: number[]) => drawn.push(bar) } as unknown as CanvasRenderingContext2D
  const box = { left: 0, top: 0, width: 100, height: 100 }
  const plane = planeOf(box, { x: [0, 100], y: [0, 100] }, '')
  const scene = { ctx, plane, colors: {}, avoid: () => {}, label: () => {} } as unknown as Scene
  bars([0, 10, 20, 30], [3, -2, 0], { gap: 0 }).draw(scene)
  assert.deepEqual(drawn, [
    [0, 97, 10, 3],
    [10, 102, 10, -2],
  ])
  assert.deepEqual(from0([3, -2, 0], 1), [-2, 3])
  assert.ok(from0([0])[1] > 0)
})

test('the dots beyond the fences are the outliers of the answer, and every value is in the strip', () => {
  const property = fc.property(
    columnOfValues,
    fc.constantFrom('zscore', 'iqr', 'mad'),
    fc.double({ noNaN: true, min: 0.1, max: 4 }),
    (values, method, threshold) => {
      const given = {
        X: { values: Float64Array.from(values), rows: values.length, columns: 1 },
        method,
        threshold,
      }
      const { preview, model, resultOf } = models.mlPreprocessingOutliers
      const { flags } = preview(given)
      const outlier_indices = [...flags.keys()].filter((row) => flags[row] === 1)
      const result = resultOf({ outliers: Array.from(flags, (flag) => flag === 1), outlier_indices })
      const made = model(given)
      const [strip] = made.columns
      const flagged = values.filter((_, row) => flags[row] === 1)
      assert.deepEqual(
        [...strip.beyond].map((one) => one + 0),
        flagged.map((one) => one + 0),
      )
      assert.equal(result.flagged, flagged.length)
      if (strip.fences !== null)
        for (const [row, distance] of made.distances.entries())
          assert.ok(flags[row] === 1 ? distance >= 1 : distance <= 1, `${distance} of row ${row}`)
      assert.equal(strip.beyond.length + strip.inside.length, values.length)
      assert.equal(
        strip.counts.reduce((sum: number, count: number) => sum + count, 0),
        values.length,
      )
    },
  )
  fc.assert(property)
})

test('a sample of many rows has the share of each kind that all rows have', () => {
  for (const rows of [2_001, 20_000, 99_999]) {
    const places: number[] = [...evenSample(rows, 2_000)]
    assert.ok(places.length > 990 && places.length <= 2_000)
    assert.ok(places.every((place, i) => place < rows && (i === 0 || place > places[i - 1])))
  }
  const every20th = [...evenSample(100_000, 2_000)].filter((row: number) => row % 20 === 7).length
  close(every20th / 2_000, 0.05, 0.02, 'one row in 20')
})

test('the curves of ratings start and end at the entries of the matrices, with every period', () => {
  const counts = fc.integer({ min: 1, max: 5 }).chain((size) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: size, maxLength: size }), {
      minLength: size,
      maxLength: size,
    }),
  )
  const property = fc.property(counts, fc.integer({ min: 1, max: 4_000 }), (rows, periods) => {
    const size = rows.length
    const given = {
      transitions: { values: Float64Array.from(rows.flat()), rows: size, columns: size },
      periods,
    }
    const { preview, model } = models.mlCreditMigration
    const data = preview(given)
    const { periods: all, curves, shown } = model(given, data)
    assert.equal(all.length, periods + 1)
    for (const [i, curve] of curves.entries()) {
      assert.equal(curve.length, periods + 1)
      assert.equal(curve[periods], data.multi_period_matrix[i][size - 1])
      if (periods > 1) close(curve[1], data.transition_matrix[i][size - 1], 1e-15, 'first period')
      close(curve[periods - 1] ?? 0, curve[periods - 1], 0, 'number')
    }
    assert.deepEqual([shown[0], shown.at(-1)], [0, periods])
  })
  fc.assert(property, { numRuns: 40 })
})

test('each row with a number is once in the picture against a column, at its place and with its number', () => {
  const cell = fc.oneof(value, fc.constant(Number.NaN))
  const rows = fc.array(fc.tuple(cell, cell, fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 90 })
  fc.assert(
    fc.property(rows, fc.boolean(), (given, isSkipped) => {
      const common = { gaps: 0, odd: [], oddCount: 0, isPercent: false, doubt: null }
      const numbers: Column = {
        ...common,
        name: 'strike',
        type: 'number',
        words: null,
        values: Float64Array.from(given, ([x]) => x),
      }
      const names = ['call', 'put', 'other']
      const words: Column = {
        ...common,
        name: 'type',
        type: 'text',
        words: names,
        values: Float64Array.from(given, ([, , i]) => i),
      }
      const kept = given.map((_, row) => row).filter((row) => !isSkipped || row % 2 === 0)
      const table = {
        given: { ...readTable('strike,type\n1,call\n'), columns: [numbers, words] },
        heading: null,
        rows: kept.length,
        rowOf: (i: number) => kept[i],
      }
      const outputs = Float64Array.from(kept, (row) => given[row][1])
      assert.equal(seriesOf(table), 1)
      const { series } = against(outputs, table, 0)
      const drawn = series.flatMap(({ name, rows, x, y }) => {
        assert.ok(
          x.every((at, i) => i === 0 || at >= x[i - 1]),
          'sorted',
        )
        return rows.map((row, i) => [row, name, x[i], y[i]])
      })
      const wanted = kept.flatMap((row, i) => {
        const [x, y, word] = given[row]
        return Number.isNaN(x) || Number.isNaN(y) ? [] : [[i, names[word], x, y]]
      })
      drawn.sort(([a], [b]) => Number(a) - Number(b))
      assert.deepEqual(drawn, wanted)
    }),
  )
})

test('whole numbers keep their digits, and the marks of an axis have as many as tell them apart', () => {
  assert.equal(short(1_234_567), '1,234,567')
  assert.equal(short(-1_700_280_000), '−1,700,280,000')
  assert.equal(short(1_234_567.25), '1,234,570')
  assert.deepEqual(
    [1.7e9, 1.7005e9].map((value) => brief(value, 5)),
    ['1.7 × 10⁹', '1.7005 × 10⁹'],
  )
  assert.equal(brief(123_456, 6), '123,456')
})
