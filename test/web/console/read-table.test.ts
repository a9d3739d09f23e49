/**
 * Tables from text and files: numbers, dates and gaps as they are written, headings and types, and the first fault by its
 * place.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tableFromIPC } from 'apache-arrow'
import fc from 'fast-check'
import { arrowBody } from '../../../src/web/console/data/arrow-body.ts'
import { dateIn, numberIn } from '../../../src/web/console/data/cells.ts'
import { bodyOf } from '../../../src/web/console/data/json-body.ts'
import { readFile, readTable } from '../../../src/web/console/data/read-table.ts'
import { cellOf, type Table } from '../../../src/web/console/data/table.ts'
import { inUnit } from '../../../src/web/console/data/units.ts'
import { dateText, durationIn } from '../../../src/web/console/times.ts'
import { joined } from '../../../src/wire/arrow/write-stream.ts'

const typesOf = ({ columns }: Pick<Table, 'columns'>) => columns.map(({ name, type }) => `${name}: ${type}`)
/** The cells of a table, row by row. */
const cellsOf = ({ columns, rows }: Pick<Table, 'columns' | 'rows'>) =>
  Array.from({ length: rows }, (_, row) => columns.map((column) => cellOf(column, row)))

/** The rows that are set aside: their kinds, numbers and texts. */
const asideIn = ({ aside }: Pick<Table, 'aside'>) =>
  aside.flatMap(({ kind, isTaken, rows }) =>
    rows.map(
      ({ number, cells }) =>
        `${kind} ${number}: ${cells.filter(Boolean).join(' ')}${isTaken ? ', taken' : ''}`,
    ),
  )

const plain = fc.oneof(
  fc.integer().map(String),
  fc.double({ noNaN: true, min: -1e6, max: 1e6 }).map((value) => value.toFixed(4)),
  fc.double({ noNaN: true, min: 1, max: 1e6 }).map(String),
  fc.constantFrom('0', '-0', '-0.0', '123456789012345', '0.1234567890123456789'),
)
const other = fc.constantFrom('+5', '1e5', '2.5E-3', ' 8 ', '"7"')

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
        assert.deepEqual([table.rows, table.columns.length], [rows.length, rows[0].length])
        assert.deepEqual(cellsOf(table), expected)
        const X = { values: Float64Array.from(expected.flat()), rows: rows.length, columns: rows[0].length }
        const body = bodyOf({ kind: 'matrix' }, { X }, { trees: 7 })
        // As JSON again, which does not tell the zeros apart.
        assert.equal(JSON.stringify(JSON.parse(body)), JSON.stringify({ X: expected, trees: 7 }))
        const stream = tableFromIPC(joined(arrowBody({ X }, { trees: 7 })!.pieces))
        const read = stream.toArray().map((row) => Object.values(row!.toJSON()))
        assert.equal(JSON.stringify(read), JSON.stringify(expected))
        assert.equal(stream.schema.metadata.get('quantd'), '{"trees":7}')
      },
    ),
  )
})

test('columns of one length become an Arrow stream, in which empty ones are left out', () => {
  const fields = {
    spot: Float64Array.of(100, 2 ** 31, 0.1),
    label: Float64Array.of(0, 1, 1),
    option_type: { values: Float64Array.of(1, 0, 1), words: ['call', 'put'] },
    weights: new Float64Array(),
  }
  const stream = tableFromIPC(joined(arrowBody(fields, { strike: 90 })!.pieces))
  assert.deepEqual(
    stream.schema.fields.map(({ name, type }) => `${name}: ${type}`),
    ['spot: Float64', 'label: Int32', 'option_type: Dictionary<Int8, Utf8>'],
  )
  assert.deepEqual(stream.get(1)?.toJSON(), { spot: 2 ** 31, label: 1, option_type: 'call' })
  assert.equal(arrowBody({ quotes: [{ K: 100, T: 1 }] }, {}), null, 'a list of records')
  assert.equal(
    arrowBody({ expected: Float64Array.of(1), actual: Float64Array.of(1, 2) }, {}),
    null,
    'samples',
  )
})

test('a number is read as a spreadsheet of either language writes it', () => {
  const written = fc.record({
    cents: fc.integer({ min: -1e9, max: 1e9 }),
    isGerman: fc.boolean(),
    style: fc.constantFrom('', ' €', ' %', '()'),
  })
  const property = fc.property(written, ({ cents, isGerman, style }) => {
    const value = cents / 100
    const text = new Intl.NumberFormat(isGerman ? 'de' : 'en', { minimumFractionDigits: 2 }).format(
      Math.abs(value),
    )
    const minus = value < 0 ? '-' : ''
    const cell = style === '()' ? (value < 0 ? `(${text})` : text) : `${minus}${text}${style}`
    const mark = isGerman ? 'comma' : 'point'
    assert.equal(numberIn(cell, mark), style === ' %' ? cents / 10_000 : value, cell)
  })
  fc.assert(property)
  for (const cell of ['A11', '1,2,3', '12,34', '', '-', '1.2.3', '7 Mar 2024', '2024-03-07'])
    assert.ok(Number.isNaN(numberIn(cell)), cell)
})

test('a percentage is the decimal that people mean, not the quotient of its double', () => {
  assert.deepEqual(
    ['4.35%', '(12.3 %)', '1e-7%'].map((cell) => numberIn(cell)),
    [0.0435, -0.123, 1e-9],
  )
  assert.deepEqual(
    inUnit(Float64Array.of(4.35, Number.NaN, 1e-7, 7), 'percent'),
    Float64Array.of(0.0435, Number.NaN, 1e-9, 0.07),
  )
})

test('a date is read in each way of writing it, and shown in one', () => {
  const ways = [
    '7.3.2024',
    '07.03.24',
    '2024-03-07',
    '2024/3/7',
    '07/03/2024',
    '7 Mar 2024',
    '7. März 2024',
    '7 mars 2024',
    'March 7, 2024',
  ]
  for (const cell of ways) assert.equal(dateText(dateIn(cell)), '2024-03-07', cell)
  assert.equal(dateText(dateIn('3/7/2024', 'month')), '2024-03-07')
  assert.equal(dateText(dateIn('2024-03-07T14:30:00Z')), '2024-03-07 14:30')
  for (const cell of ['31.02.2024', '2024-13-01', '3.14', '12', 'Mai'])
    assert.ok(Number.isNaN(dateIn(cell)), cell)
})

test('the type of each column is judged by its cells, and doubt is told', () => {
  const german = readTable(
    'Datum;Betrag;Anteil;Konto;Note\n31.01.2024;1.234,50 €;12,5 %;007;AA\n01.02.2024;-99,00 €;8 %;012;B\n',
  )
  assert.deepEqual(typesOf(german), [
    'Datum: day',
    'Betrag: comma',
    'Anteil: comma',
    'Konto: text',
    'Note: text',
  ])
  assert.deepEqual(cellsOf(german), [
    ['2024-01-31', 1234.5, 0.125, '007', 'AA'],
    ['2024-02-01', -99, 0.08, '012', 'B'],
  ])
  const doubtful = readTable('when,much\n01/02/2024,1.234\n03/04/2024,5.678\n')
  assert.deepEqual(
    doubtful.columns.map(({ doubt }) => doubt),
    [
      { cell: '01/02/2024', readings: ['2024-01-02', '2024-02-01'], types: ['month', 'day'] },
      { cell: '1.234', readings: [1.234, 1234], types: ['number', 'comma'] },
    ],
  )
  assert.deepEqual(typesOf(readTable('a;b\n1,5;2\n2,25;3\n', { types: { 1: 'text' } })), [
    'a: comma',
    'b: text',
  ])
})

test('gaps and cells of another type are counted and keep their places; a column of many of them is text', () => {
  const [a, b] = readTable('a,b\n1,2\n\n3,n/a\n7,\n5,x\n9,6\n4,4\n8,8').columns
  assert.deepEqual([a.gaps, a.oddCount, b.gaps, b.oddCount], [0, 0, 2, 1])
  assert.deepEqual(b.odd, [{ row: 3, text: 'x' }])
  const late = readTable(['v', ...Array(300).fill('1'), ...Array(200).fill('word')].join('\n'))
  assert.deepEqual(typesOf(late), ['v: text'])
  assert.throws(() => readTable('a,b\n1,2\n\n3,4\n7,8,9\n5,6'), {
    message: 'Line 5 has 3 cells, but the table has 2 columns.',
  })
  assert.throws(() => readTable(' \n'), { message: 'There is no row yet.' })
})

test('lines above the headings are left out; headings of words alone are known', () => {
  const report = readTable('Report of March\n\nname,a,b\nx,1,2\ny,3,4\n')
  assert.deepEqual(
    [report.above.length, report.rows, ...typesOf(report)],
    [1, 2, 'name: text', 'a: number', 'b: number'],
  )
  assert.equal(readTable('from\tto\nAAA\tAA\nAA\tAA').hasHeader, true)
  assert.equal(readTable('AAA\tAA\nAA\tAA').hasHeader, false)
})

test('headings in square brackets are those of CSV, and an array of any values is JSON', () => {
  const table = readTable('[Strike],[Price]\n90,12.5\n100,6\n')
  assert.deepEqual(typesOf(table), ['[Strike]: number', '[Price]: number'])
  for (const json of ['[1, 2]', '[ -1]', '["a"]', '[[1, 2]]', '[{"a": 1}]', '[null, 1]', '[true]', '[\n1]'])
    assert.equal(readTable(json).separator, 'JSON', json)
  assert.throws(() => readTable('[]'), { message: 'There is no row yet.' })
})

test('the separator that the first line names is taken, and lines are still counted with it', () => {
  const table = readTable('sep=;\r\ny_true;y_score\r\n1;0,5\r\n0;0,25\r\n')
  assert.deepEqual([table.separator, table.above.length, table.rows], ['semicolon', 0, 2])
  assert.deepEqual(typesOf(table), ['y_true: comma', 'y_score: comma'])
  assert.throws(() => readTable('sep=,\na,b\n1,2\n3,4,5\n'), { message: /^Line 4 has 3 cells/ })
})

test('rows whose decimal commas separate cells are refused, since the headings have fewer', () => {
  assert.throws(() => readTable('spot,strike\n100,5,90,5\n101,5,91,5\n'), {
    message: 'Line 1 has 2 cells, but the table has 4 columns.',
  })
  assert.equal(readTable('Returns of March\n0.1,0.2\n0.3,0.4\n').above.length, 1)
})

test('years, dates and numbers above other cells are headings, and no row of data', () => {
  const namesIn = (text: string) => {
    const { columns, rows } = readTable(text)
    return [rows, ...columns.map(({ name }) => name)]
  }
  assert.deepEqual(namesIn('Issuer\t31/12/2023\t31/12/2024\nA\tAa\tA\nB\tB\tD\n'), [
    2,
    'Issuer',
    '31/12/2023',
    '31/12/2024',
  ])
  assert.deepEqual(namesIn('Issuer,2023,2024\nA,AA,A\nB,B,D\n'), [2, 'Issuer', '2023', '2024'])
  assert.deepEqual(namesIn('Branche;2023;2024\nBau;0,2;0,3\nHandel;0,8;0,7\n'), [
    2,
    'Branche',
    '2023',
    '2024',
  ])
  assert.deepEqual(namesIn('Strike,0.25,0.5\n90,0.21,0.22\n100,0.19,0.2\n'), [2, 'Strike', '0.25', '0.5'])
  assert.equal(readTable('A,1999,2001\nB,2004,1987\nC,2010,2012\n').rows, 3)
  assert.equal(readTable('A11,6,A34\nA12,48,A32\nA14,12,A34\n').rows, 3)
})

test('the fields of an object in a record of JSON are columns of their own', () => {
  const table = readTable(
    '{"data":[{"id":"a","amount":{"value":5,"currency":"EUR"},"tags":[1]},{"id":"b","amount":{}},{"id":"c","amount":{"value":7}}]}',
  )
  assert.deepEqual(typesOf(table), [
    'id: text',
    'amount.value: number',
    'amount.currency: text',
    'tags: text',
  ])
  assert.deepEqual(
    cellsOf(table).map((cells) => cells[1]),
    [5, '', 7],
  )
})

test('ratings that are numbers are headings of a matrix; the first row of a symmetric matrix is not', () => {
  assert.equal(readTable('from,1,2\n1,90,10\n2,5,95\n').hasHeader, true)
  assert.equal(readTable(',1,2\n1,90,10\n2,5,95\n').hasHeader, true)
  assert.equal(readTable('99,2,0\n2,99,0\n0,0,99\n').rows, 3)
})

test('a quoted cell may hold separators, quotes and line ends', () => {
  const table = readTable('name,"a, b",c\n"Smith, J.",1,"2"\n"two\n""lines""",3,4\n')
  assert.deepEqual(typesOf(table), ['name: text', 'a, b: number', 'c: number'])
  assert.deepEqual(cellsOf(table), [
    ['Smith, J.', 1, 2],
    ['two\n"lines"', 3, 4],
  ])
})

test('a quotation mark that is not closed is an error with its line, and takes no rows away', () => {
  const rows = Array.from({ length: 3_000 }, (_, row) => (row === 500 ? `"${row},2` : `${row},2`))
  assert.throws(
    () => readTable(`a,b\n${rows.join('\n')}\n`),
    /In line 502, a cell begins with a quotation mark and does not end with one\./,
  )
  assert.throws(() => readTable('a,b\r\n1,2\r\n3,"4" x\r\n5,6\r\n'), /In line 3, a cell/)
  assert.deepEqual(cellsOf(readTable('a,b\n5" pipe,3\n6" pipe,4\n')), [
    ['5" pipe', 3],
    ['6" pipe', 4],
  ])
})

test('what a file has as a number keeps its point beside texts with decimal commas, without doubt', async () => {
  const { writeXlsx } = await import('hucre')
  const cells = [
    ['rate', 'note', 'share'],
    [1.085, '1,5', 1.234],
    [-2.345, '2,5', 3],
  ]
  const sheets = [{ name: 'Rates', rows: cells }]
  const workbook = await readFile(fileOf(Buffer.from(await writeXlsx({ sheets }))), {})
  for (const table of [workbook, readTable(JSON.stringify(cells))]) {
    assert.deepEqual(typesOf(table), ['rate: number', 'note: comma', 'share: number'])
    assert.deepEqual(
      table.columns.map(({ values, doubt }: { values: Float64Array; doubt: unknown }) => [...values, doubt]),
      [
        [1.085, -2.345, null],
        [1.5, 2.5, null],
        [1.234, 3, null],
      ],
    )
  }
})

test('a mark that two columns read in two ways is doubted in a third one', () => {
  const [, , third] = readTable('a;b;c\n0.5;0,5;1.234\n0.7;0,7;2.345\n').columns
  assert.deepEqual(third.doubt, { cell: '1.234', readings: [1.234, 1234], types: ['number', 'comma'] })
})

test('digits that a number would round are an id, and keep their digits', () => {
  for (const text of [
    'id,x\n9007199254740993,1\n12,2\n',
    '[{"id":9007199254740993,"x":1},{"id":12,"x":2}]',
    '{"id":9007199254740993,"x":1}\n\n{"id":12,"x":2}\n',
  ]) {
    const table = readTable(text)
    assert.deepEqual(typesOf(table), ['id: text', 'x: number'], text)
    assert.deepEqual(cellsOf(table), [
      ['9007199254740993', 1],
      ['12', 2],
    ])
  }
})

test('columns separated by spaces may be aligned; JSON may have arrays, records or columns', () => {
  assert.deepEqual(cellsOf(readTable('  1   2.5\n 10  -3\n')), [
    [1, 2.5],
    [10, -3],
  ])
  for (const given of [
    [
      [1, 2.5],
      [10, null],
    ],
    [{ a: 1, b: 2.5 }, { a: 10 }],
    { a: [1, 10], b: [2.5, null] },
  ])
    assert.deepEqual(cellsOf(readTable(JSON.stringify(given))), [
      [1, 2.5],
      [10, ''],
    ])
})

test('a column of JSON keeps its name if its first value is missing', () => {
  for (const x of [
    [null, 1, 2],
    [1, null, 2],
  ])
    assert.deepEqual(typesOf(readTable(JSON.stringify({ x }))), ['x: number'])
})

const fileOf = (bytes: Buffer) => new File([new Uint8Array(bytes)], 'a file')
const workbook = join(import.meta.dirname, '../../browser/tables/option-chain.xlsx')

test('files are read by their bytes: workbooks, other encodings, and what is no table', async () => {
  const chain = await readFile(fileOf(readFileSync(workbook)), {})
  assert.deepEqual([chain.sheets, chain.sheet, chain.rows], [['Notes', 'Chain'], 'Chain', 36])
  assert.deepEqual(asideIn(chain), ['note 37: Source: exchange'])
  assert.deepEqual(typesOf(chain).slice(0, 4), [
    'Symbol: text',
    'Call/Put: text',
    'Strike: number',
    'Expiration: day',
  ])
  assert.equal(cellOf(chain.columns[3], 0), '2024-06-21')
  assert.equal((await readFile(fileOf(readFileSync(workbook)), { sheet: 'Notes' })).rows, 1)
  const latin = Buffer.from('Größe;Stück\n1,5;2\n2,5;3\n', 'latin1')
  assert.deepEqual(typesOf(await readFile(fileOf(latin), {})), ['Größe: comma', 'Stück: comma'])
  const wide = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a\tb\n1\t2\n', 'utf16le')])
  assert.deepEqual(typesOf(await readFile(fileOf(wide), {})), ['a: number', 'b: number'])
  await assert.rejects(readFile(fileOf(Buffer.alloc(100)), {}), { message: /^This is not a table/ })
  await assert.rejects(readFile(fileOf(Buffer.from('d0cf11e0', 'hex')), {}), {
    message: /Save it as XLSX or CSV/,
  })
  await assert.rejects(readFile(fileOf(readFileSync(workbook).subarray(0, 3_000)), {}), {
    message: /cannot be read/,
  })
})

test('totals are set aside where a word and the numbers, or the numbers alone, show them', () => {
  const totals = (text: string) => asideIn(readTable(text))
  assert.deepEqual(totals('Vendor,Share\nA,41.2%\nB,48.8%\nOthers,10%\nTotal,100%\n'), [
    'total 4: Total 100%',
  ])
  assert.deepEqual(totals('desk,ead,pd\na,100,0.1\nb,200,0.2\nc,300,0.3\nTotal,600,0.2\n'), [
    'total 4: Total 600 0.2',
  ])
  assert.deepEqual(totals('Firma;Anteil\nA;41,2 %\nB;58,8 %\nGesamt;100 %\n'), ['total 3: Gesamt 100 %'])
  assert.deepEqual(
    totals(
      'Segment,Desk,EAD\nCorp,A,10\nCorp,B,20\nCorp Total,,30\nSME,C,5\nSME,D,7\nSME Total,,12\nGrand Total,,42\n',
    ),
    ['total 3: Corp Total 30', 'total 6: SME Total 12', 'total 7: Grand Total 42'],
  )
  assert.deepEqual(totals('name,x\nTotal,16\nShell,7\nBP,9\n'), ['total 1: Total 16'], 'above its rows')
  assert.deepEqual(totals('name,x,y\nA,1,3\nB,2,4\nTotal,3,7\nMax,2,4\n'), [
    'total 3: Total 3 7',
    'total 4: Max 2 4',
  ])
  assert.deepEqual(totals('name,x,y\nA,1,3\nB,2,3\n,3,6\n'), ['total 3: 3 6'], 'without a name')
  assert.deepEqual(totals('name,share\nA,20\nB,30\nC,50\nMarket,100\n'), ['total 4: Market 100'])
})

test('a row that only resembles a total is an observation', () => {
  for (const text of [
    'name,x\nTotal,5\nShell,7\nBP,9\n',
    'fund,x\nTotal Return,5\nBond,7\nCash,9\n',
    'name,x\nAnna,1\nBert,2\nMax,5\n',
    'name,x\nA,1\nB,2\nC,3\n',
    'y_true,y_prob\n0,0.3\n0,0.2\n1,0.5\n1,1\n',
    '1\n2\n3\n6\n',
  ])
    assert.deepEqual(asideIn(readTable(text)), [], text)
})

test('notes, repeated headings and rows of units are set aside, and leave the types of columns alone', () => {
  const noted = readTable('a,b\n1,2\n3,4\n\nSource: Bloomberg, as of 2024, closing\n* estimated\n')
  assert.deepEqual(asideIn(noted), ['note 3: Source: Bloomberg as of 2024 closing', 'note 4: * estimated'])
  assert.deepEqual([noted.rows, ...typesOf(noted)], [2, 'a: number', 'b: number'])
  assert.deepEqual(asideIn(readTable('strike,spot\n90,100\n95,100\nstrike,spot\n97,100\n')), [
    'headings 3: strike spot',
  ])
  assert.deepEqual(asideIn(readTable('strike,T\nUSD,years\n90,1\n95,1\n')), ['note 1: USD years'])
  assert.deepEqual(asideIn(readTable('from,to\nAAA,AA\nAA,AA\nSource: an agency\n')), [
    'note 3: Source: an agency',
  ])
  // Rows that lack a number are observations with a gap, which are asked about.
  assert.deepEqual(asideIn(readTable('id,score\nA,\nB,5\nC,abc\nD,7\nE,\n')), [])
})

test('rows that were taken back are observations again, and rows keep their numbers', () => {
  const text = 'name,x\nA,1\nA total,1\nB,2\nTotal,3\n'
  const table = readTable(text)
  assert.deepEqual(
    [asideIn(table), [...table.numbers!]],
    [
      ['total 2: A total 1', 'total 4: Total 3'],
      [1, 3],
    ],
  )
  const taken = readTable(text, { taken: [4] })
  assert.deepEqual(asideIn(taken), ['total 2: A total 1', 'total 4: Total 3, taken'])
  assert.deepEqual(cellsOf(taken), [
    ['A', 1],
    ['B', 2],
    ['Total', 3],
  ])
  assert.equal(readTable(text, { taken: ['total'] }).rows, 4)
})

test('hidden rows, sums by formula and blanks far away of a workbook are no observations, and a sheet of notes is not taken', async () => {
  const { writeXlsx } = await import('hucre')
  type Sheet = Parameters<typeof writeXlsx>[0]['sheets'][number]
  const read = async (...sheets: Sheet[]) =>
    await readFile(fileOf(Buffer.from(await writeXlsx({ sheets }))), {})
  const rows = [
    ['spot', 'strike'],
    [100, 90],
    [1, 1],
    [100, 99],
  ]
  const hidden = await read({ name: 'S', rows, rowDefs: new Map([[2, { hidden: true }]]) })
  assert.deepEqual(
    [asideIn(hidden), cellsOf(hidden)],
    [
      ['hidden 2: 1 1'],
      [
        [100, 90],
        [100, 99],
      ],
    ],
  )
  const sum = { formula: 'SUM(A2:A4)', formulaResult: 201, value: 201 }
  const summed = await read({ name: 'S', rows: [...rows, [201]], cells: new Map([['4,0', sum]]) })
  assert.deepEqual(asideIn(summed), ['total 4: 201'])
  const acrossRow = { formula: 'SUM(A3:B3)', formulaResult: 2, value: 2 }
  const wide = rows.map((cells, i) => [...cells, i === 0 ? 'sum' : i])
  const across = await read({ name: 'S', rows: wide, cells: new Map([['2,2', acrossRow]]) })
  assert.deepEqual(asideIn(across), [], 'a sum of the cells beside it')
  const far = await read({ name: 'S', rows: [...rows, [], [null, null, null, null, null, ' ']] })
  assert.deepEqual([far.rows, far.columns.length], [3, 2])
  const notes = [
    ['Author', 'J. Doe'],
    ['Version', 2],
    ['Pages', 3],
    ['Checked', new Date()],
  ]
  const scores = [['default', 'score'], ...Array.from({ length: 9 }, (_, i) => [i % 2, 500 + i])]
  assert.equal((await read({ name: 'Notes', rows: notes }, { name: 'Data', rows: scores })).sheet, 'Data')
})

test('words that mark missing numbers are labels in a column of text, and errors of spreadsheets are gaps', () => {
  assert.deepEqual(cellsOf(readTable('class,x\nD,1\nND,2\nNA,3\nnone,4\n')), [
    ['D', 1],
    ['ND', 2],
    ['NA', 3],
    ['none', 4],
  ])
  const gaps = [
    'na',
    'nd',
    'none',
    '#N/A N/A',
    '#SPILL!',
    '#CALC!',
    '-1.#IND',
    '1.#QNAN',
    '#GETTING_DATA',
    '#NAME?',
    '#BUSY!',
    '#WERT!',
  ]
  const { columns } = readTable(`x,y\n${gaps.map((gap) => `1,${gap}\n`).join('')}${'1,2\n'.repeat(60)}`)
  assert.deepEqual([columns[1].type, columns[1].gaps, columns[1].oddCount], ['number', gaps.length, 0])
  assert.deepEqual(cellsOf(readTable('id,x\n#1,5\n#2,6\n')), [
    ['#1', 5],
    ['#2', 6],
  ])
})

test('three columns have three names', () => {
  const namesIn = (head: string) => readTable(`${head}\n1,2,3\n`).columns.map(({ name }) => name)
  assert.deepEqual(namesIn('price,price (2),price'), ['price', 'price (2)', 'price (3)'])
  assert.deepEqual(namesIn('price,price,price (2)'), ['price', 'price (3)', 'price (2)'])
})

test('separators inside quotes do not count', () => {
  const headed = readTable('"strike","note; remarks","spot"\n90,"a; b",100\n95,"c; d",101\n')
  assert.deepEqual(
    [headed.separator, ...typesOf(headed)],
    ['comma', 'strike: number', 'note; remarks: text', 'spot: number'],
  )
  assert.deepEqual(cellsOf(readTable('1,"Smith; J",90\n2,"Doe; A",95\n')), [
    [1, 'Smith; J', 90],
    [2, 'Doe; A', 95],
  ])
  assert.deepEqual(cellsOf(readTable('a;b\n"1,5\n2,5";3\n"x | y";4\n')), [
    ['1,5\n2,5', 3],
    ['x | y', 4],
  ])
})

test('amounts of other currencies, lakhs, times with an offset and durations are read', () => {
  const amounts = [
    'US$12',
    'CAD 12',
    '₹12',
    'R$ 12',
    'HK$12',
    '12 SEK',
    '12kr',
    'INR12',
    '$12',
    '12 €',
    'Rs. 12',
  ]
  for (const cell of amounts) assert.equal(numberIn(cell), 12, cell)
  assert.equal(numberIn('-US$1,200.50'), -1200.5)
  assert.equal(numberIn('₹12,34,567'), 1_234_567)
  assert.equal(numberIn('1,23,45,678.9'), 12_345_678.9)
  for (const cell of ['OBL 12', '12,34', '1,2,345', 'R12', 'USDX 12'])
    assert.ok(Number.isNaN(numberIn(cell)), cell)
  assert.equal(dateText(dateIn('2024-03-07T14:30:00+02:00')), '2024-03-07 12:30')
  assert.equal(dateText(dateIn('2024-03-07 22:30-0500')), '2024-03-08 03:30')
  for (const [cell, days] of [
    ['30d', 30],
    ['2W', 14],
    ['6M', 182.5],
    ['1 year', 365],
    ['1Y6M', 547.5],
    ['P90D', 90],
    ['18 Monate', 547.5],
  ] as const)
    assert.equal(durationIn(cell) * 365, days, cell)
  const tenors = readTable('strike,T\n90,30d\n95,6M\n')
  assert.deepEqual(typesOf(tenors), ['strike: number', 'T: duration'])
  assert.deepEqual(
    typesOf(readTable('name,x,y\na,5M,1\nb,6M,2\n')).slice(0, 2),
    ['name: text', 'x: text'],
    'millions perhaps',
  )
})

test('a title that is the only cell of its row is above the headings, also if these are not known', () => {
  const table = readTable('Cash position in EUR m;\nCurrency;Amount\nEUR;120\nUSD;80\nTotal;200\n')
  assert.deepEqual([table.above.length, ...typesOf(table)], [1, 'Currency: text', 'Amount: number'])
  const unnamed = readTable('Name;\nAnn;12\nBob;13\n')
  assert.deepEqual([unnamed.above.length, unnamed.rows], [0, 2])
})

const wordsAt = ({ columns: [{ values, words }] }: Table) =>
  Array.from(values, (value) => words?.[value] ?? '')

test('labels of groups that stand in their first rows only are filled down when the person says so', () => {
  const text = 'Region;City;Score\nNorth;A;600\n;B;610\n;C;590\nSouth;D;620\n;E;570\nTotal;;2990\n'
  const before = readTable(text)
  assert.deepEqual(before.groups, [
    { key: 'down 0', name: 'Region', count: 3, isMerged: false, isTaken: false },
  ])
  assert.deepEqual(wordsAt(before), ['North', '', '', 'South', ''])
  const after = readTable(text, { taken: ['down 0'] })
  assert.deepEqual(wordsAt(after), ['North', 'North', 'North', 'South', 'South'])
  assert.deepEqual([after.groups[0].isTaken, after.groups[0].count, after.columns[0].gaps], [true, 3, 0])
})

test('sums of groups without a word that says so are no observations', () => {
  const asideOf = (...rows: string[]) =>
    readTable(['Region,Product,Amount,Count', ...rows].join('\n')).aside.flatMap(({ rows }) =>
      rows.map(({ key }) => key),
    )
  const groups = ['North,A,10,1', ',B,20,2', ',,30,3', 'South,A,5,4', ',B,6,5', ',C,7,1', ',,18,10']
  assert.deepEqual(asideOf(...groups), [3, 7])
  assert.deepEqual(asideOf(...groups.map((row) => row.replace(',,18', ',,17'))), [])
  const twice = ['a,g,1,1', ',g,1,1', 'b,g,2,1', ',g,2,1', 'c,g,5,1', 'd,g,7,2', 'e,g,9,1', 'f,g,3,4']
  assert.deepEqual(asideOf(...twice), [])
})

test('a label is not filled past a total or a blank row, and headings and notes between the rows are no labels', () => {
  const filled = (...rows: string[]) =>
    wordsAt(readTable(['Region,City,Score', ...rows].join('\n'), { taken: ['down 0'] })).join()
  const north = ['North,A,600', ',B,610', ',C,590']
  const south = ['South,D,620', ',E,570']
  assert.equal(
    filled(...north, 'Region,City,Score', ',F,580', ...south),
    'North,North,North,North,South,South',
  )
  assert.equal(filled(...north, 'Note: revised,,', ',F,580', ...south), 'North,North,North,North,South,South')
  assert.equal(filled(...north, 'North total,,1800', ',F,580', ...south), 'North,North,North,,South,South')
  assert.equal(filled(...north, ',Subtotal,1800', ',F,580', ...south), 'North,North,North,,South,South')
  assert.equal(filled(...north, ',,', ',F,580', ...south), 'North,North,North,,South,South')
  const nested = 'Year,Half,Month,n\n2020,1,1,5\n,,2,6\n\n,2,7,4\n,,8,9\n2021,1,1,3\n,,2,8\n'
  assert.deepEqual(
    [...readTable(nested, { taken: ['down 0', 'down 1'] }).columns[0].values],
    [2020, 2020, 2020, 2020, 2021, 2021],
  )
})

test('groups within groups are filled down together', () => {
  const text =
    'issuer,agency,date,rating\nX,S&P,2020-12-31,A\n,,2021-12-31,B\n,Fitch,2020-12-31,A\n,,2021-12-31,A\nY,S&P,2020-12-31,B\n,,2021-12-31,D\n'
  const { groups } = readTable(text)
  assert.deepEqual(
    groups.map(({ name, count }) => `${name} ${count}`),
    ['issuer 4', 'agency 3'],
  )
  const { head } = readTable(text, { taken: groups.map(({ key }) => key) })
  assert.deepEqual(
    head.slice(0, 4).map((cells) => cells.slice(0, 2).join()),
    ['X,S&P', 'X,S&P', 'X,Fitch', 'X,Fitch'],
  )
})

test('columns that lack values are no columns of groups', () => {
  const rows = (...labels: string[]) =>
    ['note,city,score', ...labels.map((label, i) => `${label},C${i},${600 + i}`)].join('\n')
  for (const text of [
    rows('a', 'b', '', 'c', 'd', 'e'),
    rows('', 'a', '', '', 'b', ''),
    rows('a', '', 'a', '', 'a', ''),
    rows('a', '', '', '', '', ''),
    rows('a', 'n/a', 'n/a', 'b', 'n/a', 'n/a'),
    'city,note,score\nA,x,1\nB,,2\nC,,3\nD,y,4\nE,,5\n',
    'score_dev,score_oot\n600,610\n620,630\n,640\n,650\n',
    'pd,name\n0.1,A\n,B\n0.2,C\n,D\n,E\n',
  ])
    assert.deepEqual(readTable(text).groups, [], text)
})

test('merged cells of a workbook are filled down, and no other empty cells', async () => {
  const { writeXlsx } = await import('hucre')
  const sheets = [
    {
      name: 'Data',
      rows: [
        ['Sector', 'Name', 'PD'],
        ['Banks', 'A', 0.01],
        [null, 'B', 0.02],
        [null, 'C', 0.03],
        ['Energy', 'D', 0.04],
        [null, 'E', 0.05],
      ],
      merges: [{ startRow: 1, endRow: 2, startCol: 0, endCol: 0 }],
    },
  ]
  const file = fileOf(Buffer.from(await writeXlsx({ sheets })))
  const { groups } = await readFile(file, {})
  assert.deepEqual(groups, [{ key: 'down 0', name: 'Sector', count: 1, isMerged: true, isTaken: false }])
  assert.deepEqual(wordsAt(await readFile(file, { taken: ['down 0'] })), ['Banks', 'Banks', '', 'Energy', ''])
})

test('a title with as many cells as there are headings is above them', () => {
  const { above, columns, aside } = readTable(
    'ACME Corp,Previous close: 99,Open: 98,High: 120\nStrike,Type,Expiry,Mid\n90,C,2027-01-15,11\n95,P,2027-01-15,7\n',
  )
  assert.deepEqual(
    [above.length, aside.length, columns.map(({ name }) => name).join()],
    [1, 0, 'Strike,Type,Expiry,Mid'],
  )
})

test('a glossary of known words has its own headings', () => {
  const { columns } = readTable('Term,Meaning\nStrike,Price\nSpot,Price\nMaturity,2027-01-01\n')
  assert.equal(columns[0].name, 'Term')
})

test('long cells of digits and brackets are read at once', () => {
  const long = `Id,${'1'.repeat(40_000)} Q,${'('.repeat(40_000)}\n${'2'.repeat(40_000)}x,1,2\nb,3,4\n`
  const start = performance.now()
  assert.equal(readTable(long).rows, 2)
  assert.ok(performance.now() - start < 2000)
})
