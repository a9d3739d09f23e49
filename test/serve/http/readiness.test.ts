/** Readiness: all requests share one ping. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readiness } from '../../../src/serve/http/readiness.ts'

const askers = (ask: () => Promise<void>) => Promise.allSettled(Array.from({ length: 400 }, () => ask()))
const statuses = (results: readonly PromiseSettledResult<void>[]) => [
  ...new Set(results.map(({ status }) => status)),
]

test('requests within half a second share one ping', async (t) => {
  t.mock.method(performance, 'now', () => 1_000)
  let pings = 0
  const ask = readiness(async () => {
    pings += 1
    await sleep(20)
  })
  assert.deepEqual(statuses(await askers(ask)), ['fulfilled'])
  assert.deepEqual(statuses(await askers(ask)), ['fulfilled'])
  assert.equal(pings, 1)
})

test('the database is pinged again when the result is no longer fresh', async (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  let isAway = true
  const ask = readiness(
    async () => {
      if (isAway) throw new Error('away')
    },
    { freshMs: 50 },
  )
  await assert.rejects(ask(), { code: 'unavailable', retryAfterSeconds: 5 })
  isAway = false
  now += 49
  await assert.rejects(ask())
  now += 1
  await ask()
})

test('a ping that hangs fails at its limit; requests then fail at once, and no other ping is sent', async (t) => {
  let now = 1_000
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setTimeout'] })
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
  const first = askers(ask)
  t.mock.timers.tick(100)
  assert.deepEqual(statuses(await first), ['rejected'])
  now += 250
  // No timer runs meanwhile: they wait for nothing.
  assert.deepEqual(statuses(await askers(ask)), ['rejected'])
  assert.equal(pings, 1)
  answer()
  await new Promise(setImmediate)
  await ask()
  assert.equal(pings, 1)
})
