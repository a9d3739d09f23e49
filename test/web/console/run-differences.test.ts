/** The values of two runs that differ. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputDifferences, valueDifferences } from '../../../src/web/console/runs/differences.ts'
import type { Run } from '../../../src/web/console/runs/kept-runs.ts'

test('numbers have their difference, and equal values are only counted', () => {
  assert.deepEqual(valueDifferences({ spot: 100, strike: 105, q: 0 }, { spot: 101.5, strike: 105 }), {
    rows: [
      ['Spot price', '100', '101.5', '+1.5'],
      ['Dividend yield', '0', '–', 'other'],
    ],
    same: 1,
  })
})

test('lists are compared value by value', () => {
  const { rows } = valueDifferences({ anomaly_scores: [0.1, 0.2, 0.3] }, { anomaly_scores: [0.1, 0.25, 0.4] })
  assert.deepEqual(rows, [['Anomaly score', '3 values', '3 values', '2 of 3 differ, by at most 0.1']])
  const { rows: shorter } = valueDifferences({ X: [1, 2] }, { X: [1] })
  assert.deepEqual(shorter, [['Observations', '2 values', '1 value', 'other']])
})

test('another file and another meaning of its columns are told', () => {
  const mapping = { fields: { y_true: 0 }, used: [] }
  const source = {
    text: '',
    file: new File(['a'], 'may.csv'),
    beside: null,
    columns: ['default', 'bad'],
    mapping,
  }
  const run = (more: object) => ({ given: {}, source: { ...source, ...more } }) as unknown as Run
  const june = { file: new File(['ab'], 'june.csv'), mapping: { ...mapping, fields: { y_true: 1 } } }
  assert.deepEqual(inputDifferences(run({}), run(june)).rows, [
    ['Table', 'may.csv', 'june.csv', 'other'],
    ['Meaning of the columns', 'Labels (1 = default): default', 'Labels (1 = default): bad', 'other'],
  ])
  assert.deepEqual(inputDifferences(run({}), run({})), { rows: [], same: 2 })
})
