/** Credits and usage: what was granted, what was spent, and the history page by page. */
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../service.ts'
import {
  compute,
  freshEmail,
  HOUR_MS,
  letterNumber,
  person,
  refused,
  register,
  startWithoutIpLimits,
  verify,
} from './people.ts'

const PATH = '/quantlib/economics/utility/log'

let service: TestService
before(async () => {
  service = await startWithoutIpLimits()
})
after(() => service.close())

const get = async (key: string, path: string) => (await service.call(path, { key })).body.data
const fail = (key: string) => service.call(PATH, { key, body: { wealth: -1 } })

describe('GET /user/credits', () => {
  it('tells balance, grants and what was spent; failures and replays spend nothing', async () => {
    const { key } = await person(service)
    const headers = { 'idempotency-key': 'once' }
    await compute(service, key)
    await fail(key)
    for (let i = 0; i < 2; i++) await service.call(PATH, { key, body: { wealth: 3 }, headers })
    const { grants, ...sums } = await get(key, '/user/credits')
    assert.deepEqual(sums, { credits: 348, granted: 350, spent: 2 })
    assert.deepEqual(Object.keys(grants[0]), ['at', 'credits', 'reason'])
    assert.equal(grants.length, 1)
  })

  it('serves guests too', async () => {
    const key = await service.guest()
    await compute(service, key)
    const { grants, ...sums } = await get(key, '/user/credits')
    assert.deepEqual(sums, { credits: 49, granted: 50, spent: 1 })
    assert.equal(grants[0].reason, 'guest_creation')
  })
})

describe('GET /user/usage', () => {
  it('tells every admitted computation, newest first, failures and replays with no credits', async () => {
    const { key } = await person(service)
    const headers = { 'idempotency-key': 'once', 'x-request-id': 'the-first' }
    await service.call(PATH, { key, body: { wealth: 3 }, headers })
    await service.call(PATH, { key, body: { wealth: 3 }, headers: { ...headers, 'x-request-id': 'again' } })
    await fail(key)
    // Neither the account endpoints nor refused calls are in it.
    await get(key, '/user/profile')
    const { items, next_cursor } = await get(key, '/user/usage')
    assert.equal(next_cursor, null)
    assert.deepEqual(
      items.map(({ credits, status }: { credits: number; status: number }) => [status, credits]),
      [
        [422, 0],
        [200, 0],
        [200, 1],
      ],
    )
    const { at, duration_ms, ...first } = items[2]
    assert.deepEqual(first, {
      path: PATH,
      status: 200,
      credits: 1,
      ip: '127.0.0.1',
      request_id: 'the-first',
    })
    assert.equal(new Date(at).toISOString(), at)
    assert.ok(duration_ms >= 0)
  })

  it('goes page by page without loss or repetition, also where rows share a millisecond', async () => {
    const { key } = await person(service)
    await Promise.all(Array.from({ length: 25 }, () => compute(service, key)))
    const all = (await get(key, '/user/usage')).items
    assert.equal(all.length, 25)
    const paged: unknown[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = await get(key, `/user/usage?limit=7${query}`)
      assert.ok(page.items.length <= 7)
      paged.push(...page.items)
      cursor = page.next_cursor
      // What comes meanwhile is newer and does not shift the pages.
      await compute(service, key)
    } while (cursor !== null)
    assert.deepEqual(paged, all)
  })

  it('refuses limits out of bounds and cursors it did not give', async () => {
    const { key } = await person(service)
    for (const query of [
      'limit=0',
      'limit=1001',
      'limit=1.5',
      'limit=x',
      'cursor=',
      'cursor=abc',
      'cursor=LTEgMQ',
    ])
      refused(await service.call(`/user/usage?${query}`, { key }), 422, 'invalid_input')
    assert.equal((await service.call('/user/usage?limit=1000', { key })).status, 200)
  })

  it('shows nobody else’s rows, and is not for guests', async () => {
    const [one, other] = [await person(service), await person(service)]
    await compute(service, one.key)
    assert.deepEqual((await get(other.key, '/user/usage')).items, [])
    refused(await service.call('/user/usage', { key: await service.guest() }), 403, 'guest_forbidden')
  })
})

describe('GET /user/usage/summary', () => {
  it('adds the same rows up by endpoint and by day', async () => {
    const { key } = await person(service)
    await compute(service, key)
    await fail(key)
    service.advance(24 * HOUR_MS)
    await compute(service, key)
    await service.call('/quantlib/physics/entropy/shannon', { key, body: { probabilities: [0.5, 0.5] } })
    const { by_day, by_endpoint } = await get(key, '/user/usage/summary')
    assert.deepEqual(by_endpoint, [
      { path: PATH, calls: 3, credits: 2 },
      { path: '/quantlib/physics/entropy/shannon', calls: 1, credits: 1 },
    ])
    assert.deepEqual(
      by_day.map(({ calls, credits }: { calls: number; credits: number }) => [calls, credits]),
      [
        [2, 1],
        [2, 2],
      ],
    )
    assert.equal(Date.parse(by_day[1].day) - Date.parse(by_day[0].day), 24 * HOUR_MS)
  })

  it('stays the same once days are over, and counts what comes after them', async () => {
    const { key } = await person(service)
    const batch = {
      calls: [
        { path: PATH, body: { wealth: 2 } },
        { path: PATH, body: { wealth: -1 } },
      ],
    }
    const day = async () => {
      await compute(service, key)
      await service.call('/quantlib/batch', { key, body: batch })
      service.advance(24 * HOUR_MS)
      return await get(key, '/user/usage/summary')
    }
    for (let days = 1; days <= 4; days++) {
      const { by_day, by_endpoint } = await day()
      assert.deepEqual(by_endpoint, [{ path: PATH, calls: 3 * days, credits: 2 * days }])
      assert.deepEqual(
        by_day.map(({ calls, credits }: { calls: number; credits: number }) => [calls, credits]),
        Array.from({ length: days }, () => [3, 2]),
      )
    }
  })

  it('counts the calls of a batch where they belong', async () => {
    const { key } = await person(service)
    const good = { path: PATH, body: { wealth: 2 } }
    const calls = [good, good, { path: PATH, body: { wealth: -1 } }]
    const answer = await service.call('/quantlib/batch', { key, body: { calls } })
    assert.equal(answer.status, 200, answer.text)
    await compute(service, key)
    const { by_day, by_endpoint } = await get(key, '/user/usage/summary')
    assert.deepEqual(by_endpoint, [{ path: PATH, calls: 4, credits: 3 }])
    assert.deepEqual([by_day[0].calls, by_day[0].credits], [4, 3])
  })

  it('includes the guest that was taken over, and serves guests', async () => {
    const guest = await service.guest()
    await compute(service, guest)
    assert.deepEqual((await get(guest, '/user/usage/summary')).by_endpoint, [
      { path: PATH, calls: 1, credits: 1 },
    ])
    const email = freshEmail()
    await register(service, email, { guest_api_key: guest })
    const { code } = await letterNumber(service, 1, email)
    const key = (await verify(service, email, code!)).body.data.api_key
    await compute(service, key)
    assert.deepEqual((await get(key, '/user/usage/summary')).by_endpoint, [
      { path: PATH, calls: 2, credits: 2 },
    ])
  })
})
