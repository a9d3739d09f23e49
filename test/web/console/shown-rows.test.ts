/** The rows of a table that are shown: those that a person looks for, and their order. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { flaggedFirst, rowFilter, sortedBy } from '../../../src/web/console/shown-rows.ts'

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

const { columns, rows } = readTable(
  'Contract,Expiry,Strike,IV\nAAPL C,2026-12-18,160,31%\nAAPL P,2027-01-15,165,29%\nMSFT C,2027-03-19,400,25%\n',
)

/** The numbers of the rows that are found, in all columns or in that of a number. */
const found = (text: string, column?: number) => {
  const isWanted = rowFilter(text, column === undefined ? columns : [columns[column]])
  return Array.from({ length: rows }, (_, row) => row).filter(isWanted)
}

test('a text is looked for in every cell, in any case', () => {
  assert.deepEqual(found('aapl'), [0, 1])
  assert.deepEqual(found(' C '), [0, 2])
  assert.deepEqual(found('160'), [0])
  assert.deepEqual(found('2027'), [1, 2])
  assert.deepEqual(found('nothing'), [])
})

test('numbers are looked for as they are shown, with either sign for minus', () => {
  const { columns } = readTable('Name,Move,Share\nAA−,-0.25,31.19%\nBB,1234567,2%\n')
  const rowsOf = (text: string) => [0, 1].filter(rowFilter(text, columns))
  for (const minus of ['-', '−']) {
    assert.deepEqual(rowsOf(`AA${minus}`), [0])
    assert.deepEqual(rowsOf(`${minus}0.25`), [0])
    assert.deepEqual(rowsOf(`< ${minus}0.2`), [0])
  }
  assert.deepEqual(rowsOf('1,234,567'), [1])
  assert.deepEqual(rowsOf('31.19 %'), [0])
  assert.deepEqual(rowsOf('2%'), [1])
})

test('comparisons are those of numbers, per cents and dates', () => {
  assert.deepEqual(found('> 160', 2), [1, 2])
  assert.deepEqual(found('>=160', 2), [0, 1, 2])
  assert.deepEqual(found('≤ 165', 2), [0, 1])
  assert.deepEqual(found('= 400', 2), [2])
  assert.deepEqual(found('160..165', 2), [0, 1])
  assert.deepEqual(found('< 30%', 3), [1, 2])
  assert.deepEqual(found('>= 2027-01-15', 1), [1, 2])
  assert.deepEqual(found('> 160', 0), [], 'a text is no number')
})
