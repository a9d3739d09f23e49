/** Receipts over HTTP: signed within seconds, checked with the published keys alone, and void after any change. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { encoded } from '../../../clients/typescript/arrow.ts'
import { type PublishedKey, verifyReceipt } from '../../../src/wire/receipt-check/verify.ts'
import { number, query } from '../../support/database.ts'
import { operator, settingsOf } from '../../support/operator.ts'
import { HOUR_MS, refused, useService } from '../../support/people.ts'
import { request as send } from '../../support/service.ts'

const ARROW = 'application/vnd.apache.arrow.stream'
const PATH = '/quantlib/pricing/bs/price'
const BODY = '{"spot":100,"strike":105,"risk_free_rate":0.03,"volatility":0.2,"time_to_maturity":0.5}'

describe('a receipt', async () => {
  const service = await useService()
  const keys: PublishedKey[] = (await service.call('/.well-known/quantd-keys.json')).body.data.keys
  const ada = await service.person()

  const receiptOf = async (requestId: string, key = ada.key) =>
    await service.call(`/user/receipt?request_id=${requestId}`, { key })
  const price = async (key = ada.key, raw = BODY) => {
    const answer = await send(service.url + PATH, { key, raw })
    return { ...answer, requestId: answer.headers.get('x-request-id')! }
  }

  it('of a call is signed at once, and is checked with the keys that were published before the first call', async () => {
    const { requestId, text } = await price()
    const { body, status } = await receiptOf(requestId)
    assert.equal(status, 200, JSON.stringify(body))
    const proven = await verifyReceipt(body.data, { keys, request: BODY, reply: text })
    assert.ok(proven.contentMatches)
    assert.deepEqual(
      [proven.leaf.path, proven.leaf.status, proven.leaf.credits, proven.leaf.request_id],
      [PATH, 200, 1, requestId],
    )
    await assert.rejects(
      verifyReceipt(body.data, { keys, request: `${BODY} `, reply: text }),
      /not that of the call/,
    )
    await assert.rejects(verifyReceipt(body.data, { keys: [] }), /not among the given ones/)
  })

  it('of a call with a team key is given to that key and to the account; the key gets no other receipt', async () => {
    const made = async () =>
      (await service.call('/user/keys/create', { key: ada.key, body: { name: 'n' } })).body.data.key
    const [team, other] = [await made(), await made()]
    const [ofAccount, ofTeam] = [await price(), await price(team)]
    for (const key of [team, ada.key]) assert.equal((await receiptOf(ofTeam.requestId, key)).status, 200)
    refused(await receiptOf(ofTeam.requestId, other), 404, 'not_found')
    refused(await receiptOf(ofAccount.requestId, team), 404, 'not_found')
  })

  it('is owed for each call around a clock that was ahead, whose times the checkpoint marks as doubtful', async () => {
    const quantd = operator(settingsOf(service))
    const isSigned = async ({ requestId }: { requestId: string }) => {
      const { body, status } = await receiptOf(requestId)
      assert.equal(status, 200, JSON.stringify(body))
      await verifyReceipt(body.data, { keys })
      return body.data.checkpoint
    }
    const before = await price()
    service.advance(2 * HOUR_MS)
    const signedAhead = await price()
    await isSigned(signedAhead)
    const ahead = await price()
    service.advance(-2 * HOUR_MS)
    const after = await price()
    const waiting = await quantd(['verify-audit', '--json'])
    assert.deepEqual([waiting.code, waiting.json.faults], [0, []])
    for (const call of [ahead, after]) {
      const { at, clock } = await isSigned(call)
      assert.ok(at - clock > HOUR_MS, `${at}, ${clock}`)
    }
    for (const call of [before, signedAhead]) assert.equal((await isSigned(call)).clock, undefined)
    const { code, json } = await quantd(['verify-audit', '--json'])
    assert.deepEqual([code, json.faults], [0, []])
    assert.ok(json.doubtful > 0)
    refused(await receiptOf('unknown'), 404, 'not_found')
  })

  it('has the same fields where other calls are in the group of its call', async () => {
    const calls = await Promise.all(
      Array.from({ length: 40 }, (_, n) => price(ada.key, BODY.replace('105', `${90 + n}`))),
    )
    const sizes = new Set<number>()
    for (const [n, { requestId, text }] of calls.entries()) {
      const { data } = (await receiptOf(requestId)).body
      sizes.add(data.group.leaves)
      const options = { keys, request: BODY.replace('105', `${90 + n}`), reply: text }
      assert.ok((await verifyReceipt(data, options)).contentMatches)
    }
    assert.ok(Math.max(...sizes) > 1)
  })

  it('is void after a change of any of its values', async () => {
    const { requestId } = await price()
    const { data } = (await receiptOf(requestId)).body
    const changed = (value: unknown): unknown => {
      if (typeof value === 'number') return value + 1
      if (typeof value === 'boolean') return !value
      if (value === null) return 0
      if (typeof value === 'string') return value.replace(/.$/, (last) => (last === 'A' ? 'w' : 'A'))
      return value
    }
    let tried = 0
    const walk = async (node: Record<string, unknown>): Promise<void> => {
      for (const name of Object.keys(node)) {
        const kept = node[name]
        if (typeof kept === 'object' && kept !== null) await walk(kept as Record<string, unknown>)
        else {
          node[name] = changed(kept)
          await assert.rejects(verifyReceipt(data, { keys }), { name: 'InvalidReceipt' }, name)
          node[name] = kept
          tried += 1
        }
      }
    }
    await walk(data)
    assert.ok(tried > 30)
    await verifyReceipt(data, { keys })
  })

  it('is given for failures, without a result, and for batches as a whole', async () => {
    const failed = await price(ada.key, '{"spot":-1}')
    assert.equal(failed.status, 422)
    const receipt = (await receiptOf(failed.requestId)).body.data
    const request = '{"spot":-1}'
    const { contentMatches, leaf } = await verifyReceipt(receipt, { keys, request })
    assert.deepEqual([leaf.status, leaf.code, leaf.credits, contentMatches], [422, 'invalid_input', 0, true])
    for (const reply of [failed.text, '{"success":true,"data":{"price":1}}', ''])
      await assert.rejects(verifyReceipt(receipt, { keys, request, reply }), /a failed call proves no reply/)
    const raw = JSON.stringify({
      calls: [
        { path: PATH, body: JSON.parse(BODY) },
        { path: PATH, body: {} },
      ],
    })
    const batch = await send(`${service.url}/quantlib/batch`, { key: ada.key, raw })
    const { data } = (await receiptOf(batch.headers.get('x-request-id')!)).body
    const proven = await verifyReceipt(data, { keys, request: raw, reply: batch.text })
    assert.deepEqual([proven.contentMatches, proven.leaf.calls, proven.leaf.credits], [true, 2, 1])
  })

  it('is given for large bodies and results that a thread computes', async () => {
    const strike = Array.from({ length: 20_000 }, (_, n) => 50 + n / 100)
    const raw = JSON.stringify({ columns: { ...JSON.parse(BODY), strike } })
    const columns = await send(`${service.url}${PATH}/columns`, { key: ada.key, raw })
    assert.equal(columns.status, 402)
    const few = JSON.stringify({ columns: { ...JSON.parse(BODY), strike: strike.slice(0, 200) } })
    const answer = await send(`${service.url}${PATH}/columns`, { key: ada.key, raw: few })
    const matrix = JSON.stringify({ X: Array.from({ length: 3_000 }, (_, n) => [n, n * n, Math.sin(n)]) })
    const forest = await send(`${service.url}/quantlib/ml/clustering/isolation-forest`, {
      key: ada.key,
      raw: matrix,
    })
    for (const [{ headers, status, text }, request] of [
      [answer, few],
      [forest, matrix],
    ] as const) {
      assert.equal(status, 200, text.slice(0, 300))
      const { data } = (await receiptOf(headers.get('x-request-id')!)).body
      assert.ok((await verifyReceipt(data, { keys, request, reply: text })).contentMatches)
    }
  })

  it('is given for a large stream that threads hash while they compute, and for one that is refused', async () => {
    await query(service, 'UPDATE accounts SET balance = 1000000')
    const { strike: _, ...option } = JSON.parse(BODY)
    const strike = Array.from({ length: 20_000 }, (_, n) => 50 + n / 256)
    const stream = encoded([['strike', strike]], option)!
    const sent = async (request: Uint8Array) => {
      const answer = await fetch(`${service.url}${PATH}/columns`, {
        method: 'POST',
        headers: { 'x-api-key': ada.key, 'content-type': ARROW, accept: ARROW },
        body: request as Uint8Array<ArrayBuffer>,
      })
      const receipt = (await receiptOf(answer.headers.get('x-request-id')!)).body.data
      return { status: answer.status, receipt, reply: new Uint8Array(await answer.arrayBuffer()) }
    }
    const { receipt, reply, status } = await sent(stream)
    assert.equal(status, 200)
    assert.ok((await verifyReceipt(receipt, { keys, request: stream, reply })).contentMatches)
    // Of the values, the last ones are missing.
    const request = stream.slice(0, -10_000)
    const refusal = await sent(request)
    assert.equal(refusal.status, 422)
    assert.ok((await verifyReceipt(refusal.receipt, { keys, request })).contentMatches)
    const other = request.with(-1, 1 ^ request.at(-1)!)
    await assert.rejects(verifyReceipt(refusal.receipt, { keys, request: other }), /not that of the call/)
  })

  it('is given to the account of the call alone, also to a guest', async () => {
    const { requestId } = await price()
    const guest = await service.guest()
    assert.equal((await receiptOf(requestId, guest)).status, 404)
    const own = await price(guest)
    assert.equal((await receiptOf(own.requestId, guest)).status, 200)
    assert.equal((await receiptOf('no-such-request')).status, 404)
  })

  it('covers account events too: none waits after a checkpoint', async () => {
    await price().then(({ requestId }) => receiptOf(requestId))
    assert.equal(await number(service, 'SELECT count(*) FROM audit WHERE stream IS NULL'), 0)
    assert.ok((await number(service, "SELECT count(*) FROM audit WHERE kind = 'event'")) > 0)
  })
})
