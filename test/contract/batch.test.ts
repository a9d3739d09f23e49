/** POST /quantlib/batch: many computations in one request. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { batch } from '../../src/compute/catalogue/batch.ts'
import { operations } from '../../src/compute/catalogue/index.ts'
import { COMPUTED, useService } from '../support/people.ts'

const good = { path: COMPUTED, body: { wealth: 2 } }
const bad = { path: COMPUTED, body: { wealth: -2 } }

const service = await useService()

const send = (key: string, calls: unknown, headers: Record<string, string> = {}) =>
  service.call(batch.path, { key, body: { calls }, headers })

/** Too many bytes for the event loop: a worker thread does it. */
const sendLarge = (key: string, calls: unknown) =>
  service.call(batch.path, { key, raw: `${JSON.stringify({ calls })}${' '.repeat(200_000)}` })

describe('POST /quantlib/batch', () => {
  it('answers its example with exactly the documented data', async () => {
    const key = await service.guest()
    const answer = await service.call(batch.path, { key, body: batch.example.input })
    assert.deepEqual(answer.body, { success: true, data: batch.example.output })
  })

  it('answers every computation as its own endpoint does, in order', async () => {
    const key = await service.guest()
    const calls = operations.map(({ example, path }) => ({ path, body: example.input }))
    const answer = await send(key, calls)
    assert.deepEqual(
      answer.body.data.results,
      operations.map(({ example }) => ({ success: true, data: example.output })),
    )
    assert.equal(answer.headers.get('x-credits-cost'), String(operations.length))
  })

  it('counts as one request in the windows and charges the successes only', async () => {
    const key = await service.guest()
    const answer = await send(key, [good, bad, good, { path: '/nowhere', body: {} }])
    const { results } = answer.body.data
    assert.deepEqual(
      results.map((result: { success: boolean }) => result.success),
      [true, false, true, false],
    )
    assert.equal(results[1].error.details[0].path, '/wealth')
    assert.equal(results[3].error.code, 'route_not_found')
    assert.equal(answer.headers.get('x-credits-cost'), '2')
    assert.equal(answer.headers.get('x-credits-remaining'), '48')
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '49')
  })

  it('is refused whole, with nothing consumed, where the balance does not cover all calls', async () => {
    const key = await service.guest()
    const refused = await send(key, Array(51).fill(bad))
    assert.deepEqual([refused.status, refused.body.error.code], [402, 'credits_exhausted'])
    assert.equal(
      refused.body.message,
      'This request needs 51 credits; the balance is 50; register at /user/register for more.',
    )
    assert.equal(refused.headers.get('retry-after'), null)
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '50')
    const fits = await send(key, Array(50).fill(good))
    assert.equal(fits.status, 200)
    assert.equal(fits.headers.get('x-credits-remaining'), '0')
  })

  it('takes 1 to 5000 calls of a path and a body, and names the call that is not one', async () => {
    const key = await service.guestWith('balance = 10000')
    for (const calls of [[], Array(5_001).fill(good), 'x', undefined]) {
      const answer = await send(key, calls)
      assert.equal(answer.status, 422, answer.text.slice(0, 200))
      assert.equal(answer.body.error.details[0].path, '/calls')
    }
    for (const [call, path] of [
      [{ path: COMPUTED }, '/calls/1/body'],
      [{ body: {} }, '/calls/1/path'],
      [{ path: 1, body: {} }, '/calls/1/path'],
      [{ path: COMPUTED, body: [] }, '/calls/1/body'],
      [{ path: COMPUTED, body: {}, more: 1 }, '/calls/1/more'],
    ] as const) {
      const answer = await send(key, [good, call])
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.body.error.details[0].path, path)
    }
  })

  it('bounds the numbers of all calls together', async () => {
    const key = await service.guest()
    const body = { probabilities: Array(300_000).fill(0) }
    const answer = await send(key, Array(4).fill({ path: '/quantlib/physics/entropy/shannon', body }))
    assert.equal(answer.status, 422, answer.text.slice(0, 200))
    assert.match(answer.body.message, /1000000 are taken/)
  })

  it('is charged once under an Idempotency-Key', async () => {
    const key = await service.guest()
    const headers = { 'idempotency-key': 'batch-1' }
    const first = await send(key, [good, good], headers)
    const again = await send(key, [good, good], headers)
    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.headers.get('x-credits-remaining'), '48')
    assert.equal((await send(key, [good], headers)).status, 409)
  })

  it('gives large batches, computed elsewhere, the same answers', async () => {
    const key = await service.guest()
    const calls = Array.from({ length: 20 }, (_, i) => ({ path: COMPUTED, body: { wealth: i + 1 } }))
    const small = await send(key, calls)
    const large = await sendLarge(key, calls)
    assert.equal(large.text, small.text)
    assert.equal(large.headers.get('x-credits-remaining'), '10')
  })

  it('refuses large batches as it does small ones: whole, and with the standing told', async () => {
    const key = await service.guest()
    const refused = await sendLarge(key, Array(51).fill(good))
    assert.deepEqual([refused.status, refused.body.error.code], [402, 'credits_exhausted'])
    assert.equal(
      refused.body.message,
      'This request needs at least 51 credits; the balance is 50; register at /user/register for more.',
    )
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '50')
    const faulty = await sendLarge(key, [good, { path: 1, body: {} }])
    assert.equal(faulty.status, 422)
    assert.equal(faulty.headers.get('x-ratelimit-remaining'), '49')
    const fits = await sendLarge(key, Array(49).fill(good))
    assert.equal(fits.headers.get('x-credits-remaining'), '1')
  })
})
