/** The values of a request follow from the inputs of a person. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentValues } from '../../../src/web/console/sent-values.ts'

test('a point in a whole number may be one between thousands, and is left to the service to refuse', () => {
  const fields = [
    { name: 'n_trees', kind: 'number', type: 'integer' },
    { name: 'spot', kind: 'number', type: 'number' },
  ] as const
  assert.deepEqual(sentValues(fields, { n_trees: '1.000', spot: '1.000' }), { n_trees: '1.000', spot: 1 })
  assert.deepEqual(sentValues(fields, { n_trees: ' 1000 ', spot: '1,000' }), { n_trees: 1000, spot: '1,000' })
})

test('the numbers of a list are those that a field of one number takes; a comma that may be decimal is not a separator', () => {
  const times = (text: string) => sentValues([{ name: 'times', kind: 'vector' }], { times: text }).times
  for (const text of ['1, .5, 2', '1,.5,2', '1; +.5; 2.', '1 .5 2', '[1, 0.5,\n2]', '1, .5 2', '1\t5E-1\n2'])
    assert.deepEqual(times(text), [1, 0.5, 2], text)
  assert.deepEqual(times('[]'), [])
  assert.deepEqual(times('0,5; 1'), ['0,5', 1])
  assert.deepEqual(times('1 2,5'), [1, '2,5'])
  assert.deepEqual(times('1,000; 2,000'), ['1,000', '2,000'])
  assert.deepEqual(times('1, a, 1e400'), [1, 'a', '1e400'])
})
