/** The JSON body of a columns request: read from its bytes, it is the same table as parsed, or has the same fault. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { blackScholesOperation } from '../../../src/catalogue/pricing/black-scholes.ts'
import { readJson } from '../../../src/compute/columns/read-json.ts'
import { scanJson } from '../../../src/compute/columns/scan-json.ts'
import { fieldsOf, SHARED_ROWS, type Table } from '../../../src/compute/columns/table.ts'
import { Failure } from '../../../src/errors.ts'

const { input } = blackScholesOperation
const fields = fieldsOf(input)
const MAX_ROWS = 10_000

const scan = (text: string | Uint8Array): Table | null => scanJson(Buffer.from(text), fields, MAX_ROWS)

function read(body: Uint8Array) {
  try {
    return plain(readJson(body, input, fields, MAX_ROWS))
  } catch (error) {
    assert.ok(error instanceof Failure, String(error))
    // Places in the text of a body that is not JSON differ by the escape.
    const { code, details, message } = error
    return { code, details, message: code === 'invalid_json' ? '' : message }
  }
}

/** Values by their bits: −0 is not 0. */
const plain = ({ columns, rows }: Table) => ({
  rows,
  columns: columns.map(({ isScalar, values }) => ({ isScalar, values: [...values] })),
})

/** A name with an escape is not scanned: the body is parsed. */
const parsed = (body: Uint8Array) =>
  read(Buffer.from(Buffer.from(body).toString('latin1').replace('"columns"', '"\\u0063olumns"'), 'latin1'))

const option = { strike: 100, risk_free_rate: 0.01, volatility: 0.2, time_to_maturity: 1 }
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
  test('that an encoder wrote is scanned, to the same table as parsed', () => {
    fc.assert(
      fc.property(table, fc.constantFrom(undefined, 1, '\t'), (columns, space) => {
        const body = Buffer.from(JSON.stringify({ columns }, null, space))
        const scanned = scan(body)
        assert.ok(scanned !== null, body.toString())
        assert.deepEqual(plain(scanned), parsed(body))
      }),
      { numRuns: 1_000 },
    )
  })

  test('with a byte changed, added or removed gives the same table or fault as parsed', () => {
    const bytes = [...'[]{},:"-.eE+019 \n\\acn\u00e9'].map((character) => character.charCodeAt(0))
    const change = fc.record({
      at: fc.nat(),
      byte: fc.constantFrom(...bytes),
      kind: fc.constantFrom('replace', 'add', 'remove'),
    })
    fc.assert(
      fc.property(table, change, (columns, { at, byte, kind }) => {
        const body = bodyOf(columns)
        // The name `columns` stays whole: it tells the scanned bodies from the parsed ones.
        const place = 11 + (at % (body.length - 11))
        const [before, behind] = [body.subarray(0, place), body.subarray(kind === 'add' ? place : place + 1)]
        const mutated = Buffer.concat([before, Buffer.of(...(kind === 'remove' ? [] : [byte])), behind])
        assert.deepEqual(read(mutated), parsed(mutated), mutated.toString('latin1'))
      }),
      { numRuns: 2_000 },
    )
  })

  test('with a long number in the middle of a column keeps every bit', () => {
    const spot = [1, 2.5, 1 / 3, 4, 1e-300, 5e-324, 1.7976931348623157e308, 0.1 + 0.2, 7]
    assert.deepEqual([...scan(bodyOf({ ...option, spot }))!.columns[0].values], spot)
  })

  test('is left to the parser where it is unusual', () => {
    const body = bodyOf({ ...option, spot: [1, 2] }).toString()
    assert.notEqual(scan(body), null)
    for (const [found, put] of [
      ['"spot"', '"sp\\u006ft"'],
      ['"spot":[1,2]', '"spot":[1,2],"spot":[3,4]'],
      ['[1,2]', '[1,2,]'],
      ['[1,2]', '[]'],
      ['[1,2]', '[ ]'],
      ['[1,2]', '[1,[2]]'],
      ['[1,2]', '[1,"2"]'],
      ['[1,2]', '[1,{"a":2}]'],
      ['[1,2]', '[1,01]'],
      ['[1,2]', '[1 2]'],
      ['}}', '}}x'],
      ['}}', '}'],
      ['"columns"', '"rows":1,"columns"'],
    ] as const)
      assert.equal(scan(body.replace(found, put)), null, put)
  })

  test('of more rows than are allowed is refused by their number', () => {
    const most = Array.from({ length: MAX_ROWS }, (_, row) => row + 1)
    const fits = scan(bodyOf({ ...option, spot: most }))
    assert.equal(fits?.rows, MAX_ROWS)
    assert.deepEqual(read(bodyOf({ ...option, spot: [...most, 1] })), {
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
    for (const { isScalar, values } of scan(bodyOf({ ...option, spot, option_type }))!.columns)
      assert.equal(values.buffer instanceof SharedArrayBuffer, !isScalar)
  })
})
