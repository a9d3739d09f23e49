/** POST {path}/columns: the charges of one computation for many rows; `test/compute/columns` has the rest of its contract. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Vector, vectorFromArray } from 'apache-arrow'
import { columnsDeclaration, hasColumns } from '../../src/compute/catalogue/columns.ts'
import { operations } from '../../src/compute/catalogue/index.ts'
import { ARROW, readByReference, streamOf } from '../support/arrow-streams.ts'
import { assertRefused } from '../support/failures.ts'
import { OPTION } from '../support/option.ts'
import { useService } from '../support/people.ts'
import { type Answer, closedAfter, startTestService } from '../support/service.ts'

type Fields = Record<string, unknown>

const scalarOperations = operations.filter(hasColumns)
const RICH = 10_000_000

const service = await useService()

const richGuest = () => service.guestWith(`balance = ${RICH}`)

const send = (path: string, key: string, columns: Fields, headers: Record<string, string> = {}) =>
  service.call(`${path}/columns`, { key, body: { columns }, headers })

const balance = (answer: Answer) => Number(answer.headers.get('x-credits-remaining'))

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
  })
}

describe('every columns request', () => {
  const path = '/quantlib/pricing/bs/price'
  const book = { ...OPTION, strike: [90, 100, 110] }

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

  it('is refused with 422, uncharged, where every row fails', async () => {
    const key = await service.guest()
    const answer = await send(path, key, { ...book, strike: [-1, 0], volatility: -1 })
    assert.equal(answer.status, 422, answer.text)
    assert.equal(
      answer.body.message,
      'All 2 rows failed; the first: strike must be greater than 0 (and 1 more, see details).',
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

  it('is taken in Arrow in full by a worker thread, and by one key once', async () => {
    const key = await richGuest()
    const rows = 20_000
    const strike = Float64Array.from({ length: rows }, (_, row) => 50 + (row % 100))
    const scalars = { spot: 100, risk_free_rate: 0.05, volatility: 0.2, time_to_maturity: 1 }
    const body = streamOf({ strike: vectorFromArray(strike) as Vector }, scalars) as never
    const headers = { 'content-type': ARROW, accept: ARROW, 'x-api-key': key, 'idempotency-key': 'arrow-1' }
    const sent = async () => {
      const response = await fetch(`${service.url}${path}/columns`, { method: 'POST', headers, body })
      const cost = response.headers.get('x-credits-cost')
      return { cost, bytes: new Uint8Array(await response.arrayBuffer()) }
    }
    const first = await sent()
    assert.equal(first.cost, String(rows))
    const again = await sent()
    assert.deepEqual([again.cost, Buffer.compare(again.bytes, first.bytes)], ['0', 0])
    const json = await send(path, key, { ...scalars, strike: [...strike] })
    assert.deepEqual(readByReference(first.bytes).columns.price, json.body.data.columns.price)
  })

  it('applies the cost per row that the operator has set', async () => {
    const priced = closedAfter(await startTestService({ QUANTD_COSTS: `${path}=3` }))
    const key = await priced.guest()
    const answer = await priced.call(`${path}/columns`, { key, body: { columns: book } })
    assert.equal(answer.headers.get('x-credits-cost'), '9')
  })
})
