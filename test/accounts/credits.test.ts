/** The balance, the grants and the credits spent. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { COMPUTED, startWithoutIpLimits } from '../support/people.ts'

const service = await startWithoutIpLimits()
after(() => service.close())

describe('GET /user/credits', () => {
  it('tells balance, grants and what was spent; failures and replays spend nothing', async () => {
    const { key } = await service.person()
    const headers = { 'idempotency-key': 'once' }
    await service.compute(key)
    await service.failToCompute(key)
    for (let i = 0; i < 2; i++) await service.call(COMPUTED, { key, body: { wealth: 3 }, headers })
    const { grants, ...sums } = await service.dataOf(key, '/user/credits')
    assert.deepEqual(sums, { credits: 348, granted: 350, spent: 2 })
    assert.deepEqual(Object.keys(grants[0]), ['at', 'credits', 'reason'])
    assert.equal(grants.length, 1)
  })

  it('serves guests too', async () => {
    const key = await service.guest()
    await service.compute(key)
    const { grants, ...sums } = await service.dataOf(key, '/user/credits')
    assert.deepEqual(sums, { credits: 49, granted: 50, spent: 1 })
    assert.equal(grants[0].reason, 'guest_creation')
  })
})
