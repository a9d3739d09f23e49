/** Orders of the rows of a table. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { flaggedFirst, sortedBy } from '../../../src/web/console/row-order.ts'

const every = (count: number) => Uint32Array.from({ length: count }, (_, i) => i)
const sorted = (
  keys: readonly (string | number | boolean | null | undefined)[],
  isDescending = false,
): number[] => Array.from(sortedBy(every(keys.length), (row: number) => keys[row], isDescending))

test('rows are sorted by number, equal ones in their order, those without a number last', () => {
  const key = fc.oneof(
    fc.integer({ min: -3, max: 3 }),
    fc.double(),
    fc.constantFrom(0, -0, Infinity, -Infinity, Number.NaN, ''),
  )
  fc.assert(
    fc.property(fc.array(key, { maxLength: 60 }), fc.boolean(), (keys, isDescending) => {
      const isMissing = (row: number) => keys[row] === '' || Number.isNaN(keys[row])
      const compared = (a: number, b: number) =>
        Number(Number(keys[a]) > Number(keys[b])) - Number(Number(keys[a]) < Number(keys[b]))
      const rows = [...keys.keys()]
      const wanted = rows
        .filter((row) => !isMissing(row))
        .sort((a, b) => (isDescending ? -1 : 1) * compared(a, b) || a - b)
      assert.deepEqual(sorted(keys, isDescending), [...wanted, ...rows.filter(isMissing)])
    }),
  )
})

test('texts are sorted by alphabet, unless all are numbers', () => {
  assert.deepEqual(sorted(['pear', '', 'apple', 'pear']), [2, 0, 3, 1])
  assert.deepEqual(sorted(['pear', '', 'apple', 'pear'], true), [0, 3, 2, 1])
  assert.deepEqual(sorted(['10', '9', '-1']), [2, 1, 0])
  assert.deepEqual(sorted(['10', '9', 'x']), [0, 1, 2])
  assert.deepEqual(sorted([true, false, true]), [1, 0, 2])
})

test('flagged rows come first, by their score, and the others in their order', () => {
  const scores = [0.1, 0.7, 0.3, 0.9, 0.9]
  const isFlagged = (row: number) => (scores[row] ?? 0) > 0.5
  assert.deepEqual([...flaggedFirst(5, isFlagged)], [1, 3, 4, 0, 2])
  assert.deepEqual([...flaggedFirst(5, isFlagged, (row: number) => scores[row])], [3, 4, 1, 0, 2])
})
