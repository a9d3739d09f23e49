/** POST {path}/columns: the columns that it takes and refuses, and its results, for each operation of the catalogue that has it. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasColumns, maxRows } from '../../../src/compute/catalogue/columns.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { assertRefused } from '../../support/failures.ts'
import { OPTION } from '../../support/option.ts'
import { useService } from '../../support/people.ts'
import { UNLIMITED } from '../../support/service.ts'

type Fields = Record<string, unknown>

const scalarOperations = operations.filter(hasColumns)

const service = await useService()
const key = await service.guestWith(UNLIMITED)

const send = (path: string, columns: Fields) => service.call(`${path}/columns`, { key, body: { columns } })

const MANY = 300
/** The example of an operation with its numbers changed a little from row to row. */
function rowsNear(input: Fields, rows: number): Fields[] {
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(
      Object.entries(input).map(([name, value]) => [
        name,
        typeof value === 'number' ? value * (1 + ((row * 0.618) % 1) / 10) : value,
      ]),
    ),
  )
}

const asColumns = (rows: readonly Fields[]): Fields =>
  Object.fromEntries(Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])]))

it('exists for exactly the operations whose fields are all numbers or words', async () => {
  assert.ok(scalarOperations.length > 0 && scalarOperations.length < operations.length)
  const { paths } = (await service.call('/openapi.json')).body
  for (const operation of operations) {
    const { input, output } = operation
    const fields: readonly { enum?: unknown; type?: string }[] = [input, output].flatMap((schema) =>
      Object.values(schema.properties),
    )
    const isScalar = fields.every(
      (field) => field.enum !== undefined || /^(number|integer)$/.test(field.type ?? ''),
    )
    assert.equal(`${operation.path}/columns` in paths, isScalar, operation.path)
  }
})

it('gives null for a Greek that a row has not, and its price', async () => {
  const option = { spot: [100, 110], strike: 100, risk_free_rate: 0.05, volatility: 0.2, option_type: 'call' }
  const { body } = await send('/quantlib/pricing/american/price', { ...option, time_to_maturity: 0 })
  const { columns, failed } = body.data
  assert.deepEqual([columns.price, columns.delta, failed], [[0, 10], [null, 1], 0])
})

for (const operation of scalarOperations) {
  const { path } = operation
  const example = operation.example.input as Fields
  const number = Object.keys(example).find((name) => typeof example[name] === 'number')!

  describe(`POST ${path}/columns`, () => {
    it('gives each row bit for bit what a batch and a single call give, few rows or many', async () => {
      const rows = rowsNear(example, MANY)
      const many = await send(path, asColumns(rows))
      assert.equal(many.status, 200, many.text.slice(0, 500))
      const calls = rows.map((body) => ({ path, body }))
      const batch = await service.call('/quantlib/batch', { key, body: { calls } })
      const single = await service.call(path, { key, body: rows[0] })
      const few = await send(path, asColumns(rows.slice(0, 3)))
      for (const name of Object.keys(operation.output.properties)) {
        const column = many.body.data.columns[name]
        assert.deepEqual(
          column,
          batch.body.data.results.map((result: { data: Fields }) => result.data[name]),
        )
        assert.equal(column[0], single.body.data[name])
        assert.deepEqual(few.body.data.columns[name], column.slice(0, 3))
      }
      assert.deepEqual([many.body.data.rows, many.body.data.succeeded], [MANY, MANY])
    })

    it('names every required column that is missing, and the close one to an unknown column', async () => {
      const missing = await send(path, {})
      assert.deepEqual(
        missing.body.error.details.map((detail: { path: string }) => detail.path),
        operation.input.required!.map((name) => `/columns/${name}`),
      )
      assertRefused(
        await send(path, { ...example, [`${number}_`]: 1 }),
        `/columns/${number}_`,
        new RegExp(`^is not a field of this endpoint; did you mean "${number}"\\?$`),
      )
      for (const body of [undefined, {}, { columns: [] }, { columns: 1 }])
        assertRefused(await service.call(`${path}/columns`, { method: 'POST', key, body }), '/columns', /./)
    })

    it('names column and row of what is not a number: text, booleans, arrays', async () => {
      for (const wrong of ['1', true, [1], {}]) {
        const values = [example[number], wrong]
        assertRefused(
          await send(path, { ...example, [number]: values }),
          `/columns/${number}/1`,
          /^must be a number$/,
        )
      }
      for (const wrong of ['1', null, true, {}])
        assertRefused(await send(path, { ...example, [number]: wrong }), `/columns/${number}`, /./)
    })

    it('refuses empty columns and more rows than a request may have', async () => {
      assertRefused(
        await send(path, { ...example, [number]: [] }),
        `/columns/${number}`,
        /^must not be empty/,
      )
      const most = maxRows(operation)
      assertRefused(
        await send(path, { ...example, [number]: Array(most + 1).fill(example[number]) }),
        `/columns/${number}`,
        new RegExp(`^has ${most + 1} rows; at most ${most} are allowed`),
      )
    })
  })
}

describe('every columns request', () => {
  const path = '/quantlib/pricing/bs/price'
  const book = { ...OPTION, strike: [90, 100, 110] }

  it('refuses columns of unequal length by name', async () => {
    assertRefused(
      await send(path, { ...book, volatility: [0.2, 0.3] }),
      '/columns/volatility',
      /^has 2 rows, but strike has 3$/,
    )
  })

  it('takes scalars alone as one row, and defaults as ever', async () => {
    const one = await send(path, { ...book, strike: 90 })
    const given = await send(path, { ...book, strike: 90, dividend_yield: 0, option_type: 'call' })
    assert.equal(one.body.data.rows, 1)
    assert.deepEqual(one.body.data, given.body.data)
  })

  it('reports an unknown word as the error of its row', async () => {
    const answer = await send(path, { ...book, option_type: ['call', 'puts', 'put'] })
    assert.deepEqual(answer.body.data.columns.option_type, ['call', null, 'put'])
    assert.deepEqual(answer.body.data.errors, [
      {
        row: 1,
        message: 'option_type must be one of: call, put; did you mean "put"?',
        details: [{ path: '/option_type', message: 'must be one of: call, put; did you mean "put"?' }],
      },
    ])
  })

  it('describes the first 1,000 failed rows and counts the others', async () => {
    const strike = Array.from({ length: 3_000 }, (_, row) => (row === 2_999 ? 90 : -1))
    const { errors, failed, succeeded } = (await send(path, { ...book, strike })).body.data
    assert.deepEqual([errors.length, errors[999].row, failed, succeeded], [1_000, 999, 2_999, 1])
  })

  it('bounds the computing time of all rows together', async () => {
    const columns = {
      S: 100,
      K: 100,
      T: 0.0001,
      r: 0,
      sigma: 0.01,
      theta_vg: -0.3,
      nu: Array(65_000).fill(1),
    }
    assertRefused(
      await send('/quantlib/models/variance-gamma/greeks', columns),
      '/columns',
      /^would take about 27 s; the limit is 25 s/,
    )
  })
})
