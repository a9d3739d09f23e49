/** Receipts of single rows of batches and columns: made from request and reply, checked without the other rows. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { encoded } from '../../../clients/typescript/arrow.ts'
import { columnsPath, hasColumns } from '../../../src/compute/catalogue/columns.ts'
import { operations } from '../../../src/compute/catalogue/index.ts'
import { rowReceipt } from '../../../src/wire/receipt-check/row-receipt.ts'
import { type PublishedKey, verifyReceipt } from '../../../src/wire/receipt-check/verify.ts'
import { query } from '../../support/database.ts'
import { type PeopleService, type Person, startWithoutIpLimits } from '../../support/people.ts'
import { python } from '../../support/receipt-verifiers.ts'

const PRICE = '/quantlib/pricing/bs/price'
const OPTION = { spot: 100, strike: 105, risk_free_rate: 0.03, volatility: 0.2, time_to_maturity: 0.5 }
const ARROW = 'application/vnd.apache.arrow.stream'

interface Call {
  readonly request: Uint8Array
  readonly reply: Uint8Array
  readonly id: string
}

describe('the receipt of a row', () => {
  let service: PeopleService
  let ada: Person
  let keys: PublishedKey[]
  before(async () => {
    service = await startWithoutIpLimits()
    ada = await service.person()
    await query(service, 'UPDATE accounts SET balance = 1000000')
    keys = (await service.call('/.well-known/quantd-keys.json')).body.data.keys
  })
  after(() => service.close())

  const call = async (path: string, body: unknown, accept = 'application/json'): Promise<Call> => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const request = body instanceof Uint8Array ? body : new TextEncoder().encode(text)
    const type = body instanceof Uint8Array ? ARROW : 'application/json'
    const answer = await fetch(service.url + path, {
      method: 'POST',
      headers: { 'x-api-key': ada.key, 'content-type': type, accept, 'x-row-receipts': 'on' },
      body: request as Uint8Array<ArrayBuffer>,
    })
    const reply = new Uint8Array(await answer.arrayBuffer())
    assert.equal(answer.status, 200, new TextDecoder().decode(reply))
    return { request, reply, id: answer.headers.get('x-request-id')! }
  }
  const receiptOf = async ({ id }: Call) => {
    const answer = await service.call(`/user/receipt?request_id=${id}`, { key: ada.key })
    assert.equal(answer.status, 200, answer.text)
    keys = (await service.call('/.well-known/quantd-keys.json')).body.data.keys
    return answer.body.data
  }
  const provenRow = async (own: Call, row: number) => {
    const receipt = await receiptOf(own)
    assert.ok((await verifyReceipt(receipt, { keys, ...own })).contentMatches)
    // As a file.
    const text = JSON.stringify(await rowReceipt(receipt, { ...own, row }))
    return { text, proven: (await verifyReceipt(text, { keys })).row! }
  }

  it('of a batch contains the call and its result, and in a small batch no other call', async () => {
    const calls = [
      { path: PRICE, body: OPTION },
      { path: PRICE, body: { ...OPTION, strike: 77.25 } },
      { path: PRICE, body: { ...OPTION, comment: 'Grüße, ["}' } },
    ]
    const batch = await call('/quantlib/batch', { calls })
    const { results } = JSON.parse(new TextDecoder().decode(batch.reply)).data
    for (const row of [0, 1, 2]) {
      const { proven, text } = await provenRow(batch, row)
      assert.deepEqual(proven, { row, request: calls[row], result: results[row] })
      assert.equal(text.includes('77.25'), row === 1)
    }
  })

  it('of columns has the fields of the row and its results, in JSON and Arrow alike', async () => {
    const option_type = ['call', 'put', 'put']
    const strike = [-0, 95.5, 100.25]
    const lists = { ...OPTION, option_type, strike }
    const json = await call(`${PRICE}/columns`, { columns: lists })
    const stream = encoded(
      [
        ['option_type', option_type],
        ['strike', strike],
      ],
      { ...OPTION, strike: undefined },
    )!
    const arrow = await call(`${PRICE}/columns`, stream, ARROW)
    const { data } = JSON.parse(new TextDecoder().decode(json.reply))
    assert.equal(data.failed, 1)
    for (const own of [json, arrow]) {
      const failed = (await provenRow(own, 0)).proven
      assert.deepEqual(failed.result, { option_type: null, price: null })
      const { proven, text } = await provenRow(own, 2)
      assert.deepEqual(proven, {
        row: 2,
        request: { ...OPTION, option_type: 'put', strike: 100.25 },
        result: { option_type: 'put', price: data.columns.price[2] },
      })
      assert.ok(!text.includes('95.5'))
    }
  })

  it('of columns shows a number that no double holds as missing, also by the Python package', async () => {
    const own = await call(
      '/quantlib/economics/utility/log/columns',
      `{"columns":{"wealth":[2,1e400,-1${'0'.repeat(350)}]}}`,
    )
    const receipt = await receiptOf(own)
    const made = await Promise.all([0, 1, 2].map((row) => rowReceipt(receipt, { ...own, row })))
    assert.deepEqual(
      made.map(({ request }) => request),
      [{ wealth: [2] }, { wealth: [null] }, { wealth: [null] }],
    )
    const [request, reply] = [own.request, own.reply].map((bytes) => new TextDecoder().decode(bytes))
    const code = `import json, sys, quantd
case = json.load(sys.stdin)
print(json.dumps([quantd.row_receipt(case["receipt"], case["request"], case["reply"], row) for row in range(3)]))`
    assert.deepEqual(python(code, { receipt, request, reply }), made)
  })

  it('is made of many rows that several threads computed, and then shows its neighbours too', async () => {
    const strike = Array.from({ length: 10_000 }, (_, n) => 50 + n / 128)
    const columns = await call(`${PRICE}/columns`, { columns: { ...OPTION, strike } })
    const calls = strike.slice(0, 1_000).map((one) => ({ path: PRICE, body: { ...OPTION, strike: one } }))
    const batch = await call('/quantlib/batch', { calls })
    const { proven, text } = await provenRow(columns, 9_999)
    assert.equal((proven.request as typeof OPTION).strike, strike[9_999])
    assert.equal(JSON.parse(text).head.rows, 16)
    assert.deepEqual((await provenRow(batch, 999)).proven.request, calls[999])
    await assert.rejects(provenRow(batch, 1_000), /has the rows 0 to 999/)
  })

  it('is made of a large stream that threads hash while they compute, and of one that is refused', async () => {
    const strike = Array.from({ length: 20_000 }, (_, n) => 50 + n / 256)
    const stream = encoded([['strike', strike]], { ...OPTION, strike: undefined })!
    const { proven } = await provenRow(await call(`${PRICE}/columns`, stream, ARROW), 19_999)
    assert.equal((proven.request as typeof OPTION).strike, strike[19_999])
    // Of the values, the last ones are missing.
    const request = stream.slice(0, -10_000)
    const answer = await fetch(`${service.url}${PRICE}/columns`, {
      method: 'POST',
      headers: { 'x-api-key': ada.key, 'content-type': ARROW },
      body: request,
    })
    assert.equal(answer.status, 422)
    const receipt = await receiptOf({ request, reply: request, id: answer.headers.get('x-request-id')! })
    assert.ok((await verifyReceipt(receipt, { keys, request })).contentMatches)
    const other = request.with(-1, 1 ^ request.at(-1)!)
    await assert.rejects(verifyReceipt(receipt, { keys, request: other }), /not that of the call/)
  })

  it('is void after a change of any of its values', async () => {
    const columns = await call(`${PRICE}/columns`, { columns: { ...OPTION, strike: [90, 100, 110] } })
    const file = JSON.parse((await provenRow(columns, 1)).text)
    const changes: ((changed: typeof file) => void)[] = [
      (changed) => {
        changed.request.strike[0] = 101
      },
      (changed) => {
        changed.request.spot = 101
      },
      (changed) => {
        changed.result.price[0] += 1e-12
      },
      (changed) => {
        changed.row = 2
      },
      (changed) => {
        changed.head.first = 0
        changed.row = 0
      },
      (changed) => {
        changed.head.salt = '0'.repeat(64)
      },
      (changed) => {
        changed.head.request.spot = 'text'
        changed.request.spot = 'x'
      },
      (changed) => {
        changed.head.count = 4
      },
      (changed) => {
        changed.path.reverse()
      },
      (changed) => {
        changed.receipt.leaf.content = changed.receipt.leaf.content.slice(0, 64)
      },
    ]
    for (const change of changes) {
      const changed = structuredClone(file)
      change(changed)
      await assert.rejects(verifyReceipt(changed, { keys }), { name: 'InvalidReceipt' }, String(change))
    }
  })

  it('is not made of a single call, or from other files', async () => {
    const single = await call(PRICE, OPTION)
    await assert.rejects(provenRow(single, 0), /no batch and no columns/)
    const other = { key: ada.key, body: OPTION, headers: { 'x-row-receipts': 'yes' } }
    const refused = await service.call(PRICE, other)
    assert.deepEqual(
      [refused.status, refused.body.message],
      [422, 'X-Row-Receipts must be on, or be left out.'],
    )
    const [one, two] = [
      await call('/quantlib/batch', { calls: [{ path: PRICE, body: OPTION }] }),
      await call('/quantlib/batch', { calls: [{ path: PRICE, body: { ...OPTION, spot: 1 } }] }),
    ]
    const receipt = await receiptOf(one)
    await assert.rejects(rowReceipt(receipt, { ...two, row: 0 }), /not that of the call/)
  })

  it('is made for every operation that has columns', async () => {
    const made: [string, Call][] = []
    for (const operation of operations.filter(hasColumns)) {
      const rows = [operation.example.input, operation.example.input] as Record<string, unknown>[]
      const columns = Object.fromEntries(
        Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])]),
      )
      made.push([operation.path, await call(columnsPath(operation), { columns })])
    }
    for (const [path, own] of made) {
      const { proven } = await provenRow(own, 1)
      assert.ok(Object.keys(proven.result as object).length > 0, path)
    }
  })
})
