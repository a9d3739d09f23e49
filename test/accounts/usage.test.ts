/** The usage history, page by page. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { uuidv7 } from '../../src/base/ids.ts'
import { DAY_MS, isoTime, SECOND_MS } from '../../src/base/time.ts'
import { COMPUTED, refused, useService } from '../support/people.ts'

const service = await useService()

describe('GET /user/usage', () => {
  it('tells every admitted computation, newest first, failures and replays with no credits', async () => {
    const { key } = await service.person()
    const headers = { 'idempotency-key': 'once', 'x-request-id': 'the-first' }
    await service.call(COMPUTED, { key, body: { wealth: 3 }, headers })
    await service.call(COMPUTED, {
      key,
      body: { wealth: 3 },
      headers: { ...headers, 'x-request-id': 'again' },
    })
    await service.failToCompute(key)
    // Neither the account endpoints nor refused calls are in it.
    await service.dataOf(key, '/user/profile')
    const { items, next_cursor } = await service.dataOf(key, '/user/usage')
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
      path: COMPUTED,
      status: 200,
      credits: 1,
      ip: '127.0.0.1',
      request_id: 'the-first',
    })
    assert.equal(new Date(at).toISOString(), at)
    assert.ok(duration_ms >= 0)
  })

  it('goes page by page without loss or repetition, also where rows share a millisecond', async () => {
    const { key } = await service.person()
    await Promise.all(Array.from({ length: 25 }, () => service.compute(key)))
    const all = (await service.dataOf(key, '/user/usage')).items
    assert.equal(all.length, 25)
    const paged: unknown[] = []
    let cursor: string | null = null
    do {
      const query: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`
      const page = await service.dataOf(key, `/user/usage?limit=7${query}`)
      assert.ok(page.items.length <= 7)
      paged.push(...page.items)
      cursor = page.next_cursor
      // Calls made meanwhile are newer and do not shift the pages.
      await service.compute(key)
    } while (cursor !== null)
    assert.deepEqual(paged, all)
  })

  it('filters by path, outcome, status, day and request id, also combined and page by page', async () => {
    const { key } = await service.person()
    const other = '/quantlib/physics/entropy/shannon'
    const headers = (id: string) => ({ 'x-request-id': id })
    for (const id of ['a', 'b', 'c'])
      await service.call(COMPUTED, { key, body: { wealth: 3 }, headers: headers(id) })
    await service.call(COMPUTED, { key, body: { wealth: -1 }, headers: headers('d') })
    await service.call(other, { key, body: { probabilities: [1] }, headers: headers('e') })
    await service.call(other, { key, raw: '{', headers: headers('f') })
    const found = async (query: string) => {
      const { items } = await service.dataOf(key, `/user/usage?${query}`)
      return items.map((item: { request_id: string }) => item.request_id).join('')
    }
    const today = (await service.dataOf(key, '/user/usage')).items[0].at.slice(0, 10)
    assert.equal(await found(`path=${COMPUTED}`), 'dcba')
    assert.equal(await found(`path=${other}`), 'fe')
    assert.equal(await found('path=/nowhere'), '')
    assert.equal(await found('status=success'), 'ecba')
    assert.equal(await found('status=failure'), 'fd')
    assert.equal(await found('status=422'), 'd')
    assert.equal(await found('status=400'), 'f')
    assert.equal(await found('request_id=b'), 'b')
    assert.equal(await found('request_id=B'), '')
    assert.equal(await found('day=2001-02-03'), '')
    assert.equal((await found(`day=${today}`)).at(0), 'f')
    assert.equal(await found(`path=${COMPUTED}&status=failure&day=${today}&request_id=d`), 'd')
    assert.equal(await found(`path=${other}&request_id=d`), '')
    const first = await service.dataOf(key, `/user/usage?path=${COMPUTED}&status=success&limit=2`)
    assert.equal(first.items.length, 2)
    assert.equal(await found(`path=${COMPUTED}&status=success&limit=2&cursor=${first.next_cursor}`), 'a')
  })

  it('filters by times, of which the later one is not included, also combined with a day', async () => {
    const { key } = await service.person()
    for (const id of ['a', 'b', 'c']) {
      await service.call(COMPUTED, { key, body: { wealth: 3 }, headers: { 'x-request-id': id } })
      service.advance(SECOND_MS)
    }
    const found = async (query: Record<string, string>) => {
      const { items } = await service.dataOf(key, `/user/usage?${new URLSearchParams(query)}`)
      return items.map((item: { request_id: string }) => item.request_id).join('')
    }
    const times = (await service.dataOf(key, '/user/usage')).items.map(({ at }: { at: string }) => at)
    const [, second, first] = times
    const later = (text: string, ms: number) => isoTime(Date.parse(text) + ms)
    assert.equal(await found({ from: second }), 'cb')
    assert.equal(await found({ to: second }), 'a')
    assert.equal(await found({ from: first, to: second }), 'a')
    assert.equal(await found({ from: second, to: later(second, 1) }), 'b')
    assert.equal(await found({ from: second.replace('Z', '+00:00') }), 'cb')
    assert.equal(await found({ from: second, to: first }), '')
    const [today, tomorrow] = [first.slice(0, 10), later(first, DAY_MS).slice(0, 10)]
    assert.equal(await found({ from: today, to: later(tomorrow, DAY_MS).slice(0, 10) }), 'cba')
    assert.equal(await found({ to: today }), '')
    assert.equal(await found({ day: today, to: second }), 'a')
  })

  it('finds a request by the id that the service gave it, also if the caller sends that id again', async () => {
    const { key } = await service.person()
    const found = async (id: string, rest = '') =>
      (await service.dataOf(key, `/user/usage?request_id=${id}${rest}`)).items.length
    const reply = await service.call(COMPUTED, { key, body: { wealth: 3 } })
    const id = reply.headers.get('x-request-id')!
    await service.call(COMPUTED, { key, body: { wealth: 3 } })
    assert.equal(await found(id), 1)
    await service.call(COMPUTED, { key, body: { wealth: 4 }, headers: { 'x-request-id': id } })
    assert.equal(await found(id), 2)
    assert.equal(await found(id, '&day=2001-02-03'), 0)
    assert.equal(await found(uuidv7()), 0)
  })

  it("finds a request, and its receipt, by a caller's id that contains another time", async () => {
    const { key } = await service.person()
    for (const time of [0, Date.now() - 40 * DAY_MS, Date.now() + 2 * DAY_MS, 2 ** 48 - 1]) {
      const id = uuidv7(time)
      await service.call(COMPUTED, { key, body: { wealth: 3 }, headers: { 'x-request-id': id } })
      const { items } = await service.dataOf(key, `/user/usage?request_id=${id}`)
      assert.deepEqual(
        items.map((item: { request_id: string }) => item.request_id),
        [id],
      )
      assert.equal((await service.dataOf(key, `/user/receipt?request_id=${id}`)).leaf.request_id, id)
    }
  })

  it('refuses unknown filters, and values whose form can match nothing', async () => {
    const { key } = await service.person()
    for (const [query, path] of [
      ['status=ok', '/status'],
      ['status=999', '/status'],
      ['day=2026-02-30', '/day'],
      ['day=yesterday', '/day'],
      ['from=2026-02-30', '/from'],
      ['from=2026-02-30T00:00:00Z', '/from'],
      ['from=2026-02-20T00:00:00', '/from'],
      ['to=2026-02-20T25:00Z', '/to'],
      ['to=', '/to'],
      ['path=', '/path'],
      ['request_id=', '/request_id'],
      ['outcome=failure', '/outcome'],
    ] as const) {
      const reply = await service.call(`/user/usage?${query}`, { key })
      refused(reply, 422, 'invalid_input')
      assert.equal(reply.body.error.details[0].path, path)
    }
  })

  it('refuses limits out of bounds and cursors it did not give', async () => {
    const { key } = await service.person()
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
    const [one, other] = [await service.person(), await service.person()]
    await service.compute(one.key)
    assert.deepEqual((await service.dataOf(other.key, '/user/usage')).items, [])
    refused(await service.call('/user/usage', { key: await service.guest() }), 403, 'guest_forbidden')
  })
})
