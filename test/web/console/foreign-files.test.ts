/** Files of other tools, houses and countries: what they are recognised as, what is asked, and what is sent. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guessed } from '../../../src/web/console/data/guess.ts'
import type { TableSpec } from '../../../src/web/console/data/mapping.ts'
import { readTable } from '../../../src/web/console/data/read-table.ts'
import { recognise } from '../../../src/web/console/data/recognise.ts'
import { answered } from './answered.ts'

const MATRIX: TableSpec = { kind: 'matrix', field: 'X' }
const HISTORY: TableSpec = { kind: 'history', fields: ['entities', 'dates', 'ratings'] }

/** Rows below headings; a function makes each from its number. */
const lines = (headings: string, rows: number, row: (i: number) => string) =>
  [headings, ...Array.from({ length: rows }, (_, i) => row(i))].join('\n')

const headingsUsed = (text: string) => {
  const table = readTable(text)
  return guessed(MATRIX, table).used.map((i) => table.columns[i].name)
}

test('numbers of days since 1900 and of seconds since 1970 are dates below the heading of such', () => {
  const first = (heading: string, cell: number, step = 1) => {
    const { head, columns } = readTable(lines(`${heading},x`, 6, (i) => `${cell + i * step},${i ** 3}`))
    const [{ type, values }] = columns
    return type === 'serial' ? new Date(values[0]).toISOString().slice(0, 16) : head[0][0]
  }
  assert.equal(first('Date', 45_500), '2024-07-27T00:00')
  assert.equal(first('Expiry', 46_000), '2025-12-09T00:00')
  assert.equal(first('timestamp', 1_764_201_600), '2025-11-27T00:00')
  assert.equal(first('local_timestamp', 1_764_201_600_123_456), '2025-11-27T00:00')
  assert.equal(first('expiration', 1_798_185_600_000), '2026-12-25T08:00')
  for (const heading of ['update_count', 'runtime', 'data', 'days', 'strike'])
    assert.equal(first(heading, 45_500), '45500', heading)
  assert.equal(first('date', 20_270_115), '20270115', 'a date in digits is one')
  const series = lines('timestamp,load,price', 9, (i) => `${1_764_201_600 + 3600 * i},${i ** 2},${i % 4}`)
  assert.deepEqual(headingsUsed(series), ['load', 'price'], 'a time is no measure')
})

test('expiries in eight digits are dates below each heading of expiries', () => {
  const chain = lines(
    'Strike,Expiry,Put/Call,MarkPrice',
    8,
    (i) => `${90 + i},20270115,${'CP'[i % 2]},4.${i}`,
  )
  assert.equal(readTable(chain).columns[1].type, 'day')
})

test('a first column that counts the rows is asked about, whatever its heading', () => {
  const rows = lines('Haushalt,Income,Age', 8, (i) => `${i + 1},${(i * 37) % 11},${20 + ((i * 5) % 7)}`)
  const { asks } = answered(MATRIX, rows)
  assert.deepEqual(
    asks.map(({ text }) => text),
    ['Does “Haushalt” name the rows, or is it measured?'],
  )
  const wealth = lines('Haushalt;Reinvermögen', 8, (i) => `${i + 1};${1000 + 13 * i}`)
  assert.equal(recognise(readTable(wealth))[0].what, 'amounts of wealth')
})

test('numbers with an exponent have no groups, and a letter behind a point is a missing value', () => {
  const pandas = readTable(lines(',x,y', 6, (i) => `${i},-3.21${i}e+04,1.00${i}e-04`))
  assert.deepEqual(
    pandas.columns.map(({ doubt }) => doubt),
    [null, null, null],
  )
  assert.equal(pandas.columns[1].values[1], -32_110)
  const { oddCount, gaps } = readTable(lines('roa,lev', 6, (i) => `0.1${i},${['.a', '.Z', '.'][i] ?? i}`))
    .columns[1]
  assert.deepEqual([oddCount, gaps], [0, 3])
})

test('quarters and months in a column are the dates of a history', () => {
  for (const [periods, ends] of [
    [
      ['FY20Q1', 'FY20Q2', 'FY20Q3'],
      ['2020-03-31', '2020-06-30', '2020-09-30'],
    ],
    [
      ['2020M03', '2020M06', '2020M12'],
      ['2020-03-31', '2020-06-30', '2020-12-31'],
    ],
    [
      ['Q1-20', 'Q2-20', 'Q1-21'],
      ['2020-03-31', '2020-06-30', '2021-03-31'],
    ],
    [
      ['Mär 2020', 'Jun-20', '12/2020'],
      ['2020-03-31', '2020-06-30', '2020-12-31'],
    ],
  ]) {
    const text = lines(
      'Kunde;Quartal;Rating',
      12,
      (i) => `K${i % 4};${periods[i % 3]};${['A', 'BB', 'D'][i % 3]}`,
    )
    assert.equal(recognise(readTable(text))[0]?.what, 'a rating history', periods[0])
    const { fields } = answered(HISTORY, text)
    assert.deepEqual(fields?.dates, { values: new Float64Array(12).map((_, i) => i % 3), words: ends })
  }
})
