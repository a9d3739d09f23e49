/** POST {path}/columns: one computation for many rows, tested for each operation of the catalogue that has it. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { columnsDeclaration, hasColumns, maxRows } from '../../src/catalogue/columns.ts'
import { operations } from '../../src/catalogue/index.ts'
import { type Answer, startTestService } from '../support/service.ts'

type Fields = Record<string, unknown>

const scalarOperations = operations.filter(hasColumns)
const RICH = 10_000_000

const service = await startTestService()
after(() => service.close())

const richGuest = () => service.guestWith(`balance = ${RICH}`)

const send = (path: string, key: string, columns: Fields, headers: Record<string, string> = {}) =>
  service.call(`${path}/columns`, { key, body: { columns }, headers })

const balance = (answer: Answer) => Number(answer.headers.get('x-credits-remaining'))

function assertRefused(answer: Answer, path: string, message: RegExp): void {
  assert.deepEqual([answer.status, answer.body?.error?.code], [422, 'invalid_input'], answer.text)
  assert.equal(answer.body.error.details[0].path, path, answer.text)
  assert.match(answer.body.error.details[0].message, message)
  assert.equal(answer.headers.get('x-credits-cost'), '0')
}

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

for (const operation of scalarOperations) {
  const { path } = operation
  const example = operation.example.input as Fields
  const number = Object.keys(example).find((name) => typeof example[name] === 'number')!

  describe(`POST ${path}/columns`, () => {
    it('answers its example with exactly the documented data', async () => {
      const declared = columnsDeclaration(operation).example
      const key = await service.guest()
      const answer = await service.call(`${path}/columns`, { key, body: declared.input })
      assert.deepEqual(answer.body, { success: true, data: declared.output })
    })

    it('gives each row bit for bit what a batch and a single call give, few rows or many', async () => {
      const key = await richGuest()
      const rows = rowsNear(example, 1_000)
      const many = await send(path, key, asColumns(rows))
      assert.equal(many.status, 200, many.text.slice(0, 500))
      const calls = rows.map((body) => ({ path, body }))
      const batch = await service.call('/quantlib/batch', { key, body: { calls } })
      const single = await service.call(path, { key, body: rows[0] })
      const few = await send(path, key, asColumns(rows.slice(0, 3)))
      for (const name of Object.keys(operation.output.properties)) {
        const column = many.body.data.columns[name]
        assert.deepEqual(
          column,
          batch.body.data.results.map((result: { data: Fields }) => result.data[name]),
        )
        assert.equal(column[0], single.body.data[name])
        assert.deepEqual(few.body.data.columns[name], column.slice(0, 3))
      }
      assert.deepEqual([many.body.data.rows, many.body.data.succeeded], [1_000, 1_000])
    })

    it('counts as one request in the windows and charges the rows that succeed', async () => {
      const key = await service.guest()
      const values = [example[number], Number.MAX_VALUE * 2, example[number]]
      const text = JSON.stringify({ columns: { ...example, [number]: values } }).replace('null', '1e999')
      const answer = await service.call(`${path}/columns`, { key, raw: text })
      assert.equal(answer.status, 200, answer.text)
      const { columns, errors, failed, rows, succeeded } = answer.body.data
      assert.deepEqual([rows, succeeded, failed], [3, 2, 1])
      for (const column of Object.values<unknown[]>(columns)) {
        assert.equal(column[1], null)
        assert.notEqual(column[0], null)
        assert.equal(column[2], column[0])
      }
      const message = 'must be a finite number (at most 1.8e308)'
      assert.deepEqual(errors, [
        { row: 1, message: `${number} ${message}.`, details: [{ path: `/${number}`, message }] },
      ])
      assert.equal(answer.headers.get('x-credits-cost'), '2')
      assert.equal(balance(answer), 48)
      assert.equal(answer.headers.get('x-ratelimit-remaining'), '49')
    })

    it('names every required column that is missing, and the close one to an unknown column', async () => {
      const key = await service.guest()
      const missing = await send(path, key, {})
      assert.deepEqual(
        missing.body.error.details.map((detail: { path: string }) => detail.path),
        operation.input.required!.map((name) => `/columns/${name}`),
      )
      assertRefused(
        await send(path, key, { ...example, [`${number}_`]: 1 }),
        `/columns/${number}_`,
        new RegExp(`^is not a field of this endpoint; did you mean "${number}"\\?$`),
      )
      for (const body of [undefined, {}, { columns: [] }, { columns: 1 }])
        assertRefused(await service.call(`${path}/columns`, { method: 'POST', key, body }), '/columns', /./)
    })

    it('fails the rows alone where a value is missing, and charges the others', async () => {
      const key = await service.guest()
      const values = [example[number], null, example[number]]
      const answer = await send(path, key, { ...example, [number]: values })
      assert.equal(answer.status, 200, answer.text)
      const { columns, errors, failed, succeeded } = answer.body.data
      assert.deepEqual([succeeded, failed], [2, 1])
      for (const column of Object.values<unknown[]>(columns)) {
        assert.equal(column[1], null)
        assert.equal(column[2], column[0])
      }
      assert.deepEqual(errors, [
        {
          row: 1,
          message: `${number} is missing.`,
          details: [{ path: `/${number}`, message: 'is missing' }],
        },
      ])
      assert.equal(answer.headers.get('x-credits-cost'), '2')
      assertRefused(
        await send(path, key, { ...example, [number]: [null, null] }),
        `/columns/${number}/0`,
        /^is missing$/,
      )
    })

    it('names column and row of what is not a number: text, booleans, arrays', async () => {
      const key = await service.guest()
      for (const wrong of ['1', true, [1], {}]) {
        const values = [example[number], wrong]
        assertRefused(
          await send(path, key, { ...example, [number]: values }),
          `/columns/${number}/1`,
          /^must be a number$/,
        )
      }
      for (const wrong of ['1', null, true, {}])
        assertRefused(await send(path, key, { ...example, [number]: wrong }), `/columns/${number}`, /./)
    })

    it('refuses empty columns and more rows than a request may have', async () => {
      const key = await richGuest()
      assertRefused(
        await send(path, key, { ...example, [number]: [] }),
        `/columns/${number}`,
        /^must not be empty/,
      )
      const most = maxRows(operation)
      assertRefused(
        await send(path, key, { ...example, [number]: Array(most + 1).fill(example[number]) }),
        `/columns/${number}`,
        new RegExp(`^has ${most + 1} rows; at most ${most} are allowed`),
      )
    })
  })
}

describe('every columns request', () => {
  const path = '/quantlib/pricing/bs/price'
  const book = {
    spot: 100,
    strike: [90, 100, 110],
    risk_free_rate: 0.05,
    volatility: 0.2,
    time_to_maturity: 1,
  }

  it('refuses columns of unequal length by name', async () => {
    const key = await service.guest()
    assertRefused(
      await send(path, key, { ...book, volatility: [0.2, 0.3] }),
      '/columns/volatility',
      /^has 2 rows, but strike has 3$/,
    )
  })

  it('takes scalars alone as one row, and defaults as ever', async () => {
    const key = await service.guest()
    const one = await send(path, key, { ...book, strike: 90 })
    const given = await send(path, key, { ...book, strike: 90, dividend_yield: 0, option_type: 'call' })
    assert.equal(one.body.data.rows, 1)
    assert.deepEqual(one.body.data, given.body.data)
  })

  it('reports an unknown word as the error of its row', async () => {
    const key = await service.guest()
    const answer = await send(path, key, { ...book, option_type: ['call', 'puts', 'put'] })
    assert.deepEqual(answer.body.data.columns.option_type, ['call', null, 'put'])
    assert.deepEqual(answer.body.data.errors, [
      {
        row: 1,
        message: 'option_type must be one of: call, put; did you mean "put"?',
        details: [{ path: '/option_type', message: 'must be one of: call, put; did you mean "put"?' }],
      },
    ])
  })

  it('names a bad row among 100,000 and answers the others', async () => {
    const key = await richGuest()
    const strike = Array.from({ length: 100_000 }, (_, row) => (row === 54_321 ? -1 : 50 + (row % 100)))
    const answer = await send(path, key, { ...book, strike })
    assert.equal(answer.status, 200, answer.text.slice(0, 300))
    const { columns, errors, failed, succeeded } = answer.body.data
    assert.deepEqual([succeeded, failed], [99_999, 1])
    assert.deepEqual(errors, [
      {
        row: 54_321,
        message: 'strike must be greater than 0.',
        details: [{ path: '/strike', message: 'must be greater than 0' }],
      },
    ])
    assert.equal(columns.price.indexOf(null), 54_321)
    assert.equal(columns.price[54_320], columns.price[54_420])
    assert.equal(answer.headers.get('x-credits-cost'), '99999')
  })

  it('describes the first 1,000 failed rows and counts the others', async () => {
    const key = await richGuest()
    const strike = Array.from({ length: 3_000 }, (_, row) => (row === 2_999 ? 90 : -1))
    const { errors, failed, succeeded } = (await send(path, key, { ...book, strike })).body.data
    assert.deepEqual([errors.length, errors[999].row, failed, succeeded], [1_000, 999, 2_999, 1])
  })

  it('is refused with 422, uncharged, where every row fails', async () => {
    const key = await service.guest()
    const answer = await send(path, key, { ...book, strike: [-1, 0], volatility: -1 })
    assert.equal(answer.status, 422, answer.text)
    assert.equal(
      answer.body.message,
      'All 2 rows failed; row 0: strike must be greater than 0 (and 1 more, see details).',
    )
    assert.deepEqual(
      answer.body.error.details.map((detail: { path: string }) => detail.path),
      ['/columns/strike/0', '/columns/volatility', '/columns/strike/1'],
    )
    assert.equal(answer.headers.get('x-credits-cost'), '0')
    assert.equal(balance(answer), 50)
  })

  it('is refused whole, with nothing consumed, where the balance does not cover all rows', async () => {
    const key = await service.guest()
    for (const rows of [51, 2_000, 100_000]) {
      const refused = await send(path, key, { ...book, strike: Array(rows).fill(100) })
      assert.deepEqual([refused.status, refused.body.error.code], [402, 'credits_exhausted'])
      assert.match(refused.body.message, /^This request needs (at least )?\d+ credits; the balance is 50/)
      assert.equal(refused.headers.get('retry-after'), null)
      assert.equal(refused.headers.get('x-ratelimit-remaining'), '50')
    }
    const fits = await send(path, key, { ...book, strike: Array(50).fill(100) })
    assert.deepEqual([fits.status, balance(fits)], [200, 0])
  })

  it('is charged once under an Idempotency-Key, also a large one, and writes one audit row', async () => {
    const key = await richGuest()
    const headers = { 'idempotency-key': 'columns-1' }
    const columns = { ...book, strike: Array.from({ length: 20_000 }, (_, row) => 80 + (row % 40)) }
    const first = await send(path, key, columns, headers)
    const again = await send(path, key, columns, headers)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.headers.get('x-credits-cost'), '0')
    assert.equal(balance(again), RICH - 20_000)
    assert.equal((await send(path, key, book, headers)).status, 409)
    const summary = await service.call('/user/usage/summary', { key })
    assert.deepEqual(summary.body.data.by_endpoint, [
      { path: `${path}/columns`, calls: 40_000, credits: 20_000 },
    ])
  })

  it('bounds the computing time of all rows together', async () => {
    const key = await richGuest()
    const columns = {
      S: 100,
      K: 100,
      T: 0.0001,
      r: 0,
      sigma: 0.01,
      theta_vg: -0.3,
      nu: Array(125_000).fill(1),
    }
    assertRefused(
      await send('/quantlib/models/variance-gamma/price', key, columns),
      '/columns',
      /^would take about 26 s; the limit is 25 s/,
    )
  })

  it('applies the cost per row that the operator has set', async () => {
    const priced = await startTestService({ QUANTD_COSTS: `${path}=3` })
    try {
      const key = await priced.guest()
      const answer = await priced.call(`${path}/columns`, { key, body: { columns: book } })
      assert.equal(answer.headers.get('x-credits-cost'), '9')
    } finally {
      await priced.close()
    }
  })
})
