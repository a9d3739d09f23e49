/** Outlier flags against exact arithmetic, and the columns on which naive formulas fail. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { outliersOperation } from '../../../src/compute/catalogue/preprocessing/outliers.ts'
import { flatten } from '../../../src/numerics/matrices/matrix.ts'
import { type OutlierMethod, outlierMethods, outliers } from '../../../src/numerics/statistics/outliers.ts'
import { answer, assertRefused } from '../answer.ts'

/** The rows flagged in a matrix of one column. */
function flaggedIn(column: readonly number[], method: OutlierMethod, threshold = 3): number[] {
  const flags = outliers(
    flatten(
      column.map((value) => [value]),
      'X',
    ),
    method,
    threshold,
  )
  return [...flags.keys()].filter((row) => flags[row] === 1)
}

const spread = Array.from({ length: 20 }, (_, i) => i % 5)

test('a constant column flags nothing, whatever the constant', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...outlierMethods),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: 1, max: 50 }),
      (method, value, count) => {
        assert.deepEqual(flaggedIn(new Array(count).fill(value), method, 1e-300), [])
      },
    ),
  )
})

test('scaling by a power of two and turning round change no flag', () => {
  const value = fc.integer({ min: -1_000, max: 1_000 })
  fc.assert(
    fc.property(
      fc.constantFrom(...outlierMethods),
      fc.array(value, { minLength: 1, maxLength: 30 }),
      fc.integer({ min: -1_000, max: 1_000 }),
      (method, column, exponent) => {
        const expected = flaggedIn(column, method, 1.6)
        assert.deepEqual(
          flaggedIn(
            column.map((x) => x * 2 ** exponent),
            method,
            1.6,
          ),
          expected,
        )
        assert.deepEqual(
          flaggedIn(
            column.map((x) => -x),
            method,
            1.6,
          ),
          expected,
        )
      },
    ),
  )
})

test('a spread of one unit in the last place is a spread', () => {
  const column = [...new Array(20).fill(0.3), 0.3 + 2 ** -54]
  for (const method of outlierMethods) assert.deepEqual(flaggedIn(column, method), [20], method)
})

test('a value exactly at the threshold is not beyond it', () => {
  assert.deepEqual(flaggedIn([...new Array(9).fill(0), 1], 'zscore', 3), [])
  assert.deepEqual(flaggedIn([...new Array(9).fill(0.1), 0.7], 'zscore', 3), [])
  assert.deepEqual(flaggedIn([...new Array(9).fill(0), 1], 'zscore', 2.999), [9])
  assert.deepEqual(flaggedIn([0, 1, 2, 3, 4, 9], 'iqr', 2.1), [])
})

test('with an interquartile range of zero any other value is beyond', () => {
  assert.deepEqual(flaggedIn([5, 5, 5, 5, 5, 5, 5, 5 + 2 ** -50, 4], 'iqr', 1e300), [7, 8])
})

test('with a MAD of zero the mean absolute deviation takes its place', () => {
  const column = [...new Array(9).fill(0), 1]
  // The mean absolute deviation is 0.1, so the modified score of the last row is 10/1.253314 = 7.98.
  assert.deepEqual(flaggedIn(column, 'mad', 7.97), [9])
  assert.deepEqual(flaggedIn(column, 'mad', 7.99), [])
})

test('one column beyond is enough for the row', () => {
  const rows = spread.map((value, i) => [value, i === 3 ? 1e6 : value, 7])
  const expected = rows.map((_, i) => (i === 3 ? 1 : 0))
  for (const method of outlierMethods)
    assert.deepEqual([...outliers(flatten(rows, 'X'), method, 3)], expected, method)
})

test('numbers near the ends of float64 are judged like others', () => {
  for (const method of outlierMethods) {
    for (const unit of [1e-322, 1e-200, 1e200, 4e305])
      assert.deepEqual(
        flaggedIn([...spread.map((x) => x * unit), 400 * unit], method),
        [20],
        `${method} ${unit}`,
      )
    assert.deepEqual(flaggedIn([...spread.map((x) => x * 1e307 - 2e307), -1.7e308], method, 2), [20], method)
  }
})

test('a single far value of opposite sign overflows no difference', () => {
  for (const method of outlierMethods)
    assert.deepEqual(flaggedIn([...spread.map((x) => 1.6e308 + x * 1e306), -1.7e308], method), [20], method)
})

test('a threshold beyond all numbers flags nothing', () => {
  for (const method of outlierMethods)
    assert.deepEqual(flaggedIn([...spread, 1e9], method, 1.7e308), [], method)
})

test('rows of unequal length are refused by number', () => {
  assertRefused('X.2', () => answer(outliersOperation, { X: [[1, 2], [3, 4], [5]] }))
})

test('a threshold that is not above zero is refused', () => {
  assertRefused('threshold', () => flaggedIn([1, 2], 'iqr', 0))
})

test('more numbers than a request may hold are refused', () => {
  const row = new Array(10_000).fill(0)
  const X = new Array(101).fill(row)
  assertRefused('X', () => outliersOperation.compute({ X, method: 'zscore', threshold: 3 }))
})

test('columns of denormal numbers are flagged as the same columns of whole numbers', () => {
  const column = [7, 5, 5, 20, 2, 5, 0, 1, 7, 7, 1]
  for (const method of outlierMethods)
    for (const threshold of [0.7, 1.3150891665439537, 3])
      assert.deepEqual(
        flaggedIn(
          column.map((value) => value * 5e-324),
          method,
          threshold,
        ),
        flaggedIn(column, method, threshold),
        `${method} at ${threshold}`,
      )
})
