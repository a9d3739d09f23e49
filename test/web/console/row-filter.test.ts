/** The rows that a person looks for, by a text or a comparison. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { rowFilter } from '../../../src/web/console/row-filter.ts'

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
