/** Readiness: all requests share one ping. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readiness } from '../../src/http/readiness.ts'

const askers = (ask: () => Promise<void>, count: number) =>
  Promise.allSettled(Array.from({ length: count }, () => ask()))
const statuses = (results: readonly PromiseSettledResult<void>[]) => [
  ...new Set(results.map(({ status }) => status)),
]

test('requests within half a second share one ping', async () => {
  let pings = 0
  const ask = readiness(async () => {
    pings += 1
    await sleep(20)
  })
  assert.deepEqual(statuses(await askers(ask, 400)), ['fulfilled'])
  assert.deepEqual(statuses(await askers(ask, 400)), ['fulfilled'])
  assert.equal(pings, 1)
})

test('the database is pinged again when the result is no longer fresh', async () => {
  let isAway = true
  const ask = readiness(
    async () => {
      if (isAway) throw new Error('away')
    },
    { freshMs: 50 },
  )
  await assert.rejects(ask(), { code: 'unavailable', retryAfterSeconds: 5 })
  isAway = false
  await assert.rejects(ask())
  await sleep(60)
  await ask()
})

test('a ping that hangs fails at its limit; requests then fail at once, and no other ping is sent', async () => {
  let pings = 0
  let answer = () => {}
  const ask = readiness(
    () => {
      pings += 1
      return new Promise<void>((resolve) => {
        answer = resolve
      })
    },
    { freshMs: 200, limitMs: 100 },
  )
  const startedAt = performance.now()
  assert.deepEqual(statuses(await askers(ask, 400)), ['rejected'])
  assert.ok(performance.now() - startedAt < 1_000)
  await sleep(250)
  const againAt = performance.now()
  assert.deepEqual(statuses(await askers(ask, 400)), ['rejected'])
  assert.ok(performance.now() - againAt < 90)
  assert.equal(pings, 1)
  answer()
  await sleep(10)
  await ask()
  assert.equal(pings, 1)
})
