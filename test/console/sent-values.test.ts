/** The values of a request follow from the inputs of a person. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'

const { sentValues } = await import(join(import.meta.dirname, '../../src/console/web/sent-values.js'))

test('a point in a whole number may be one between thousands, and is left to the service to refuse', () => {
  const fields = [
    { name: 'n_trees', kind: 'number', type: 'integer' },
    { name: 'spot', kind: 'number', type: 'number' },
  ]
  assert.deepEqual(sentValues(fields, { n_trees: '1.000', spot: '1.000' }), { n_trees: '1.000', spot: 1 })
  assert.deepEqual(sentValues(fields, { n_trees: ' 1000 ', spot: '1,5' }), { n_trees: 1000, spot: '1,5' })
})
