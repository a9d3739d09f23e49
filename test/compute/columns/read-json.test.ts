/** The JSON body of a columns request is read into the numbers that it states, bit by bit. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Failure } from '../../../src/base/failure.ts'
import { blackScholesOperation } from '../../../src/compute/catalogue/pricing/black-scholes.ts'
import { readJson } from '../../../src/compute/columns/read-table.ts'
import { fieldsOf, SHARED_ROWS, type Table } from '../../../src/compute/columns/table.ts'

const { input } = blackScholesOperation
const fields = fieldsOf(input)
const MAX_ROWS = 10_000

const read = (body: Uint8Array): Table => readJson(body, input, fields, MAX_ROWS)

function refusal(body: Uint8Array) {
  try {
    read(body)
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    const { code, details, message } = error
    return { code, details, message }
  }
  return assert.fail('The body was read.')
}

const option = { strike: 100, risk_free_rate: 0.01, volatility: 0.2, time_to_maturity: 1 }
const defaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  fields.map(({ name, rules }) => [name, rules.default]),
)
const bodyOf = (columns: object) => Buffer.from(JSON.stringify({ columns }))

const short = fc.oneof(
  fc.integer({ min: -99_999, max: 999_999_999 }),
  fc.integer().map((n) => (n % 1e6) / 1e3),
)
const any = fc.double({ noNaN: true, noDefaultInfinity: true })
const list = <Item>(item: fc.Arbitrary<Item>) => fc.array(item, { minLength: 3, maxLength: 3 })
const numbers = fc.oneof(short, any, list(short), list(any), list(fc.oneof(short, any)))
const words = fc.oneof(fc.constantFrom('call', 'put'), list(fc.constantFrom('call', 'put')))
const table = fc.record(
  {
    spot: numbers,
    strike: numbers,
    risk_free_rate: numbers,
    volatility: numbers,
    time_to_maturity: numbers,
    dividend_yield: numbers,
    option_type: words,
  },
  { requiredKeys: ['spot', 'strike', 'risk_free_rate', 'volatility', 'time_to_maturity'] },
)

describe('a body of columns', () => {
  test('gives the items of each list, and the value of each scalar', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(undefined, 1, '\t'), (columns, space) => {
        const lists = Object.values(columns).filter((value) => Array.isArray(value))
        const { columns: found, rows } = read(Buffer.from(JSON.stringify({ columns }, null, space)))
        assert.equal(rows, lists.length === 0 ? 1 : 3)
        for (const [index, { name, words }] of fields.entries()) {
          const given = columns[name as keyof typeof columns] ?? defaults[name]
          const { isScalar, values } = found[index]
          assert.equal(isScalar, !Array.isArray(given))
          const items = [given].flat().map((item) => (words === null ? item : words.indexOf(item as string)))
          // JSON has no −0 that JavaScript would print.
          assert.deepEqual(
            [...values],
            items.map((item) => (item === 0 ? 0 : item)),
          )
        }
      }),
      { numRuns: 500 },
    )
  })

  test('with a long number in the middle of a column keeps every bit', () => {
    const spot = [1, 2.5, 1 / 3, 4, 1e-300, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 7]
    assert.deepEqual([...read(bodyOf({ ...option, spot })).columns[0].values], spot)
  })

  test('of more rows than are allowed is refused by their number', () => {
    const most = Array.from({ length: MAX_ROWS }, (_, row) => row + 1)
    const fits = read(bodyOf({ ...option, spot: most }))
    assert.equal(fits.rows, MAX_ROWS)
    assert.deepEqual(refusal(bodyOf({ ...option, spot: [...most, 1] })), {
      code: 'invalid_input',
      details: [
        {
          path: '/columns/spot',
          message: `has ${MAX_ROWS + 1} rows; at most ${MAX_ROWS} are allowed: send them in parts`,
        },
      ],
      message: `columns.spot has ${MAX_ROWS + 1} rows; at most ${MAX_ROWS} are allowed: send them in parts.`,
    })
  })

  test('of many rows is in memory that threads share', () => {
    const spot = Array.from({ length: SHARED_ROWS }, (_, row) => row)
    const option_type = spot.map(() => 'put')
    for (const { isScalar, values } of read(bodyOf({ ...option, spot, option_type })).columns)
      assert.equal(values.buffer instanceof SharedArrayBuffer, !isScalar)
  })
})
