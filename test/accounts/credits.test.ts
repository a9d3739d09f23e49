/** The balance, the grants and the credits spent. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { useOperators } from '../support/operators.ts'
import { COMPUTED } from '../support/people.ts'

const { done, service } = await useOperators()

/** Whether each one is running, in place of the time at which it ends. */
const windowsOf = (windows: { name: string; limit: number; used: number; resets_at?: string }[]) =>
  windows.map(({ limit, name, resets_at, used }) => [
    ...[name, limit, used],
    Date.parse(resets_at ?? '') > Date.now() - 60_000,
  ])

describe('GET /user/credits', () => {
  it('tells balance, grants and what was spent; failures and replays spend nothing', async () => {
    const { key } = await service.person()
    const headers = { 'idempotency-key': 'once' }
    await service.compute(key)
    await service.failToCompute(key)
    for (let i = 0; i < 2; i++) await service.call(COMPUTED, { key, body: { wealth: 3 }, headers })
    const { grants, windows, ...sums } = await service.dataOf(key, '/user/credits')
    assert.deepEqual(sums, { credits: 348, granted: 350, spent: 2 })
    assert.deepEqual(Object.keys(grants[0]), ['at', 'credits', 'reason'])
    assert.equal(grants.length, 1)
    assert.deepEqual(windowsOf(windows), [
      ['hour', 500, 3, true],
      ['work', 600, 1, true],
    ])
    const unused = await service.dataOf((await service.person()).key, '/user/credits')
    assert.deepEqual(unused.windows, [
      { name: 'hour', limit: 500, used: 0 },
      { name: 'work', limit: 600, used: 0 },
    ])
  })

  it('shows the state of one moment, to owner and operator, while credits are granted', async () => {
    const { email, key } = await service.person()
    const spent: number[] = []
    let isOver = false
    const look = async () => {
      for (let n = 0; n < 40; n++) {
        spent.push((await service.dataOf(key, '/user/credits')).spent)
        spent.push((await done(`accounts/show?account=${email}`)).spent)
      }
    }
    const grant = async () => {
      for (let n = 0; !isOver; n++)
        await done('grants', { account: email, credits: 5, reference: `look ${n}` })
    }
    const granting = grant()
    await Promise.all([look(), look()])
    isOver = true
    await granting
    assert.deepEqual([...new Set(spent)], [0])
  })

  it('serves guests too', async () => {
    const key = await service.guest()
    await service.compute(key)
    const { grants, windows, ...sums } = await service.dataOf(key, '/user/credits')
    assert.deepEqual(windowsOf(windows), [
      ['hour', 60, 1, true],
      ['day', 50, 1, true],
      ['work', 60, 1, true],
    ])
    assert.deepEqual(sums, { credits: 49, granted: 50, spent: 1 })
    assert.equal(grants[0].reason, 'guest_creation')
  })
})
