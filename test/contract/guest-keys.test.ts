/** Guest keys: how they are made, counted and charged; how they end is in test/accounts/expiry.test.ts. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { query } from '../support/database.ts'
import { COMPUTED, count, useService } from '../support/people.ts'
import { closedAfter, definite, startTestService } from '../support/service.ts'

const HOUR_MS = 3_600_000
const device = { device_id: 'd-1', device_name: 'laptop', platform: 'linux' }

const service = await useService()

const compute = (key: string, headers: Record<string, string> = {}, wealth = 2) =>
  service.call(COMPUTED, { key, body: { wealth }, headers })
const fail = (key: string) => service.call(COMPUTED, { key, body: { wealth: -1 } })

describe('POST /guest/create', () => {
  it('gives a key of the documented form with 50 credits for 24 hours', async () => {
    const { body, status } = await service.call('/guest/create', { body: device })
    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body.data), ['api_key', 'credit_balance', 'expires_at'])
    assert.match(body.data.api_key, /^qd_guest_[0-9A-Za-z]{43}$/)
    assert.equal(body.data.credit_balance, 50)
    const lifetime = Date.parse(body.data.expires_at) - Date.now()
    assert.ok(Math.abs(lifetime - 24 * HOUR_MS) < 60_000, body.data.expires_at)
  })

  it('ignores unknown fields, and refuses missing, empty, long and non-string ones', async () => {
    assert.equal((await service.call('/guest/create', { body: { ...device, more: 1 } })).status, 200)
    for (const wrong of [undefined, '', 'x'.repeat(201), 7, null])
      for (const name of Object.keys(device)) {
        const answer = await service.call('/guest/create', { body: { ...device, [name]: wrong } })
        assert.equal(answer.status, 422, answer.text)
        assert.equal(answer.body.error.details[0].path, `/${name}`)
      }
  })

  it('is limited to 1,000 an hour per address', async () => {
    const limited = closedAfter(await startTestService())
    const create = () => limited.callOnce('/guest/create', { body: device })
    await definite(create)
    await query(limited, 'UPDATE attempts SET count = 950')
    const answers = await Promise.all(Array.from({ length: 100 }, create))
    // Requests whose replies the database of a busy machine delayed too long may count.
    const [passed, lost] = [count(answers, 200), count(answers, 503)]
    assert.ok(passed <= 50 && passed + lost >= 50, `${passed} passed, ${lost} were lost`)
    const refused = answers.find((answer) => answer.status === 429)!
    assert.equal(refused.body.error.code, 'too_many_attempts')
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    limited.advance(HOUR_MS)
    assert.equal((await definite(create)).status, 200)
  })
})

describe('the windows of a guest key', () => {
  it('let 50 computations a day pass, whatever their outcome, and tell when the next may come', async () => {
    const key = await service.guest()
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? compute(key) : fail(key))),
    )
    assert.equal(count(answers, 200) + count(answers, 422), 50)
    const refused = answers.find((answer) => answer.status === 429)!
    const { code, counted, limit, window } = refused.body.error
    assert.deepEqual([code, counted, limit, window], ['rate_limited', 'requests', 50, 'day'])
    assert.match(refused.body.message, /^The limit of 50 requests a day is used up; try again in \d+ s\.$/)
    assert.ok(Number(refused.headers.get('retry-after')) > 86_000)
    assert.equal(refused.headers.get('x-ratelimit-limit'), '50')
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0')
  })

  it('are stated on every reply, for both windows and for the one nearest to its end', async () => {
    const { headers } = await compute(await service.guest())
    assert.equal(headers.get('ratelimit-policy'), '"hour";q=60;w=3600, "day";q=50;w=86400')
    assert.equal(headers.get('ratelimit'), '"hour";r=59;t=3600, "day";r=49;t=86400')
    assert.equal(headers.get('x-ratelimit-limit'), '50')
    assert.equal(headers.get('x-ratelimit-remaining'), '49')
    const reset = Number(headers.get('x-ratelimit-reset')) - Date.now() / 1_000
    assert.ok(Math.abs(reset - 86_400) < 60, String(reset))
  })

  it('are not touched by refusals', async () => {
    const key = await service.guest()
    for (let i = 0; i < 5; i++)
      await service.call(COMPUTED, { key: `${key.slice(0, -1)}!`, body: { wealth: 1 } })
    assert.equal((await compute(key)).headers.get('x-ratelimit-remaining'), '49')
  })
})

describe('the credits of a guest key', () => {
  it('pay for exactly 50 successes', async () => {
    const rich = closedAfter(await startTestService({ QUANTD_COSTS: `${COMPUTED}=7` }))
    const key = await rich.guest()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => rich.call(COMPUTED, { key, body: { wealth: 2 } })),
    )
    assert.equal(count(answers, 200), 7)
    assert.equal(count(answers, 402), 13)
    const poor = answers.find((answer) => answer.status === 402)!
    const { code, needed, balance } = poor.body.error
    assert.deepEqual([code, needed, balance], ['credits_exhausted', 7, 1])
    assert.match(poor.body.message, /^This request needs 7 credits; the balance is 1;/)
    assert.equal(poor.headers.get('x-credits-remaining'), '1')
    assert.equal(poor.headers.get('x-ratelimit-remaining'), '43')
  })
})

describe('an Idempotency-Key', () => {
  it('is charged once, and answered again ten times', async () => {
    const key = await service.guest()
    const headers = { 'idempotency-key': 'order-1' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => compute(key, headers)))
    assert.equal(count(answers, 200), 10)
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    const charged = answers.filter((answer) => answer.headers.get('x-credits-cost') === '1')
    const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')
    assert.deepEqual([charged.length, replayed.length], [1, 9])
    assert.equal((await compute(key, headers)).status, 200)
    const eleventh = await compute(key, headers)
    assert.equal(eleventh.status, 429)
    assert.match(
      eleventh.body.message,
      /^This Idempotency-Key was answered again 10 times, which is the limit/,
    )
    const next = await compute(key)
    assert.equal(next.headers.get('x-credits-remaining'), '48')
    assert.equal(next.headers.get('x-ratelimit-remaining'), '48')
  })

  it('answers without balance and window once it is bound', async () => {
    const key = await service.guest()
    const headers = { 'idempotency-key': 'paid' }
    const first = await compute(key, headers)
    for (let i = 0; i < 49; i++) await fail(key)
    assert.equal((await compute(key)).status, 429)
    const again = await compute(key, headers)
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal(again.headers.get('x-credits-cost'), '0')
  })

  it('conflicts with another body or path and consumes nothing', async () => {
    const key = await service.guest()
    const headers = { 'idempotency-key': 'k' }
    await compute(key, headers)
    const other = await compute(key, headers, 3)
    assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_conflict'])
    const elsewhere = await service.call('/quantlib/physics/entropy/shannon', {
      key,
      body: { probabilities: [0.5, 0.5] },
      headers,
    })
    assert.equal(elsewhere.status, 409)
    assert.equal((await compute(key)).headers.get('x-ratelimit-remaining'), '48')
  })

  it('that was answered again ten times conflicts with another body, whatever its size and the requests before it', async () => {
    const key = await service.guest()
    const headers = { 'idempotency-key': 'used-up' }
    for (let i = 0; i < 11; i++) await compute(key, headers)
    assert.equal((await compute(key, headers)).status, 429)
    const small = await compute(key, headers, 3)
    const raw = `{"wealth": 3}${' '.repeat(100_000)}`
    const large = await service.call('/quantlib/economics/utility/log', { key, raw, headers })
    assert.deepEqual([small.status, large.status], [409, 409])
  })

  it('is bound by a success only, belongs to its account, and is forgotten after 24 hours', async () => {
    const key = await service.guest()
    const headers = { 'idempotency-key': 'retry' }
    assert.equal((await compute(key, headers, -1)).status, 422)
    assert.equal((await compute(key, headers, 5)).headers.get('x-credits-cost'), '1')
    const stranger = await service.guestWith("tier = 'free', expires_at = NULL")
    assert.equal((await compute(stranger, headers, 6)).headers.get('x-credits-cost'), '1')
    service.advance(24 * HOUR_MS - 60_000)
    assert.equal((await compute(stranger, headers, 7)).status, 409)
    service.advance(60_000)
    assert.equal((await compute(stranger, headers, 7)).headers.get('x-credits-cost'), '1')
  })

  it('must be 1 to 255 visible characters', async () => {
    const key = await service.guest()
    for (const bad of ['has space', 'x'.repeat(256), 'tab\tinside']) {
      const answer = await compute(key, { 'idempotency-key': bad })
      assert.deepEqual([answer.status, answer.body.error.code], [422, 'invalid_input'])
    }
    assert.equal((await compute(key, { 'idempotency-key': '~'.repeat(255) })).status, 200)
  })
})
