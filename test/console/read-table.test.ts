/** Tables from text: numbers as they are written in files, and the first fault by its place. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'

const data = join(import.meta.dirname, '../../src/console/web/data')
const { readTable } = await import(join(data, 'read-table.js'))
const { bodyOf } = await import(join(data, 'table-values.js'))

const plain = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => value.toFixed(4)),
  fc.double({ noNaN: true, min: 1, max: 1e6 }).map(String),
  fc.constantFrom('0', '-0', '-0.0', '123456789012345', '0.1234567890123456789'),
)
const other = fc.constantFrom('+5', '1e5', '2.5E-3', '007', ' 8 ', '"7"')

const tables = fc
  .record({
    columns: fc.integer({ min: 2, max: 5 }),
    cells: fc.array(fc.oneof({ weight: 30, arbitrary: plain }, other), { minLength: 5, maxLength: 60 }),
  })
  .map(({ columns, cells }) =>
    Array.from({ length: Math.floor(cells.length / columns) }, (_, row) =>
      cells.slice(row * columns, (row + 1) * columns),
    ),
  )

test('every cell is the number that JavaScript reads, and the body of the request has the same numbers', () => {
  fc.assert(
    fc.property(
      tables,
      fc.constantFrom(',', ';', '\t', '|'),
      fc.constantFrom('\n', '\r\n', '\r'),
      (rows, separator, end) => {
        const expected = rows.map((cells) => cells.map((cell) => Number(cell.replaceAll('"', ''))))
        const table = readTable(rows.map((cells) => cells.join(separator)).join(end))
        assert.deepEqual([table.rows, table.columns], [rows.length, rows[0].length])
        assert.deepEqual([...table.values], expected.flat())
        const body = bodyOf({ kind: 'matrix', field: 'X' }, table, [], { trees: 7 })
        // As JSON again, which does not tell the zeros apart.
        assert.equal(JSON.stringify(JSON.parse(body)), JSON.stringify({ X: expected, trees: 7 }))
      },
    ),
  )
})

test('after rows of plain numbers, the first bad cell or row is named by its place', () => {
  const fault = (line: string) => () => readTable(`a,b\n1,2\n\n3,4\n${line}\n5,6`)
  assert.throws(fault('7,-'), { message: 'Row 3, column 2 (b), line 5: “-” is not a number.' })
  assert.throws(fault('1.2.3,4'), { message: 'Row 3, column 1 (a), line 5: “1.2.3” is not a number.' })
  assert.throws(fault('7,,8'), { message: 'Row 3, column 2 (b), line 5: the cell is empty.' })
  assert.throws(fault('7'), { message: 'Row 3 (line 5) has 1 cell, but the first row has 2.' })
  assert.throws(fault('7,8,9'), { message: 'Row 3 (line 5) has 3 cells, but the first row has 2.' })
})

test('a quoted cell may hold separators, quotes and line ends', () => {
  const { labels, names, values } = readTable('name,"a, b",c\n"Smith, J.",1,"2"\n"two\n""lines""",3,4\n')
  assert.deepEqual(
    [names, labels, [...values]],
    [
      ['a, b', 'c'],
      ['Smith, J.', 'two\n"lines"'],
      [1, 2, 3, 4],
    ],
  )
  const fault = () => readTable('name,a,b\n"two\nlines",1,2\nx,3,4\nlast,n/a,5')
  assert.throws(fault, { message: 'Row 3, column 1 (a), line 5: “n/a” is not a number.' })
})

test('columns separated by spaces may be aligned', () => {
  const { columns, separator, values } = readTable('  1   2.5\n 10  -3\n')
  assert.deepEqual([columns, separator, [...values]], [2, 'space', [1, 2.5, 10, -3]])
})
