/** Parquet and Arrow files as the console reads them: types, gaps, dates, and files that it refuses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Table as ArrowTable, tableToIPC, vectorFromArray } from 'apache-arrow'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { readFile } from '../../../src/web/console/data/read-table.ts'
import { cellOf, type Table } from '../../../src/web/console/data/table.ts'

const fileOf = (bytes: ArrayBuffer | Uint8Array<ArrayBuffer>) => new File([bytes], 'file')
const typesOf = ({ columns }: Table) => columns.map(({ name, type }) => `${name}: ${type}`)
const cellsOf = ({ columns, rows }: Table) =>
  Array.from({ length: rows }, (_, row) => columns.map((column) => cellOf(column, row)))

const DAYS = [new Date('2027-01-15'), new Date('2027-03-19'), new Date('2027-06-18')]
const TYPES = ['symbol: text', 'strike: number', 'expiry: day', 'size: number']
const CELLS = [
  ['A', 95.5, '2027-01-15', 10],
  ['B', '', '2027-03-19', 20],
  ['', 1.085, '2027-06-18', 30],
]

test('a Parquet file is read with its numbers, dates and gaps', async () => {
  const written = parquetWriteBuffer({
    columnData: [
      { name: 'symbol', data: ['A', 'B', null], type: 'STRING' },
      { name: 'strike', data: [95.5, null, 1.085], type: 'DOUBLE' },
      { name: 'expiry', data: DAYS, type: 'TIMESTAMP' },
      { name: 'size', data: [10n, 20n, 30n], type: 'INT64' },
    ],
  })
  const table = await readFile(fileOf(written), {})
  assert.deepEqual([typesOf(table), cellsOf(table), table.separator], [TYPES, CELLS, 'PARQUET'])
})

test('an Arrow stream and an Arrow file are read alike', async () => {
  const given = new ArrowTable({
    symbol: vectorFromArray(['A', 'B', null]),
    strike: vectorFromArray([95.5, null, 1.085]),
    expiry: vectorFromArray(DAYS),
    size: vectorFromArray([10, 20, 30]),
  })
  for (const format of ['stream', 'file'] as const) {
    const table = await readFile(fileOf(Uint8Array.from(tableToIPC(given, format))), {})
    assert.deepEqual([typesOf(table), cellsOf(table), table.separator], [TYPES, CELLS, 'ARROW'], format)
  }
})

test('a Parquet or Arrow file that cannot be read is refused with its reason', async () => {
  const refused = (bytes: Uint8Array<ArrayBuffer>, message: RegExp) =>
    assert.rejects(readFile(fileOf(bytes), {}), { message })
  await refused(new TextEncoder().encode('PAR1 and no more'), /^This Parquet file cannot be read/)
  const nested = new ArrowTable({ list: vectorFromArray([[1], [2, 3]]) })
  await refused(Uint8Array.from(tableToIPC(nested, 'stream')), /^This Arrow file cannot be read: .*list/)
  await refused(new TextEncoder().encode('ARROW1'), /^This Arrow file cannot be read/)
})
