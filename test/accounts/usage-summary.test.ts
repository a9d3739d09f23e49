/** Totals of the usage by endpoint and by day. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { COMPUTED, freshEmail, HOUR_MS, useService } from '../support/people.ts'
import { tidied } from '../support/tidied.ts'

const service = await useService()
service.newDay()

describe('GET /user/usage/summary', () => {
  it('adds the same rows up by endpoint and by day', async () => {
    const { key } = await service.person()
    await service.compute(key)
    await service.failToCompute(key)
    service.advance(24 * HOUR_MS)
    await service.compute(key)
    await service.call('/quantlib/physics/entropy/shannon', { key, body: { probabilities: [0.5, 0.5] } })
    const { by_day, by_endpoint } = await service.dataOf(key, '/user/usage/summary')
    assert.deepEqual(by_endpoint, [
      { path: COMPUTED, calls: 3, credits: 2 },
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
    const { key } = await service.person()
    const batch = {
      calls: [
        { path: COMPUTED, body: { wealth: 2 } },
        { path: COMPUTED, body: { wealth: -1 } },
      ],
    }
    const day = async () => {
      await service.compute(key)
      await service.call('/quantlib/batch', { key, body: batch })
      service.advance(24 * HOUR_MS)
      return await service.dataOf(key, '/user/usage/summary')
    }
    for (let days = 1; days <= 4; days++) {
      const { by_day, by_endpoint } = await day()
      assert.deepEqual(by_endpoint, [{ path: COMPUTED, calls: 3 * days, credits: 2 * days }])
      assert.deepEqual(
        by_day.map(({ calls, credits }: { calls: number; credits: number }) => [calls, credits]),
        Array.from({ length: days }, () => [3, 2]),
      )
    }
  })

  it('has the calls of the history also while a day passes its retention', async () => {
    service.newDay()
    const { key } = await service.person()
    await service.compute(key)
    service.advance(12 * HOUR_MS)
    await service.compute(key)
    const left: number[] = []
    // In the middle of the day that is two days old, and after it.
    for (const hours of [50, 12]) {
      service.advance(hours * HOUR_MS)
      await service.dataOf(key, '/user/usage/summary')
      await tidied(service, 48 * HOUR_MS)
      const { by_day } = await service.dataOf(key, '/user/usage/summary')
      const { items } = await service.dataOf(key, '/user/usage')
      assert.equal(by_day[0]?.calls ?? 0, items.length)
      left.push(items.length)
    }
    assert.deepEqual(left, [2, 0])
  })

  it('counts the calls of a batch where they belong', async () => {
    const { key } = await service.person()
    const good = { path: COMPUTED, body: { wealth: 2 } }
    const calls = [good, good, { path: COMPUTED, body: { wealth: -1 } }]
    const answer = await service.call('/quantlib/batch', { key, body: { calls } })
    assert.equal(answer.status, 200, answer.text)
    await service.compute(key)
    const { by_day, by_endpoint } = await service.dataOf(key, '/user/usage/summary')
    assert.deepEqual(by_endpoint, [{ path: COMPUTED, calls: 4, credits: 3 }])
    assert.deepEqual([by_day[0].calls, by_day[0].credits], [4, 3])
  })

  it('includes the guest that was taken over, and serves guests', async () => {
    const guest = await service.guest()
    await service.compute(guest)
    assert.deepEqual((await service.dataOf(guest, '/user/usage/summary')).by_endpoint, [
      { path: COMPUTED, calls: 1, credits: 1 },
    ])
    const email = freshEmail()
    await service.register(email, { guest_api_key: guest })
    const { code } = await service.letterNumber(1, email)
    const key = (await service.verify(email, code!)).body.data.api_key
    await service.compute(key)
    assert.deepEqual((await service.dataOf(key, '/user/usage/summary')).by_endpoint, [
      { path: COMPUTED, calls: 2, credits: 2 },
    ])
  })
})
