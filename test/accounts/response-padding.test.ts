/** Response times are padded to a minimum, so that they do not depend on what was found. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { padResponseTime } from '../../src/accounts/address.ts'

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work().catch(() => undefined)
  return performance.now() - startedAt
}

test('fast work and fast failures settle no earlier than the minimum time', async () => {
  assert.ok((await took(() => padResponseTime(async () => 1, 30))) >= 28)
  assert.ok((await took(() => padResponseTime(() => Promise.reject(new Error('wrong')), 30))) >= 28)
})

test('the result or error is that of the work', async () => {
  assert.equal(await padResponseTime(async () => 'found', 1), 'found')
  await assert.rejects(
    padResponseTime(() => Promise.reject(new Error('wrong')), 1),
    /wrong/,
  )
})

test('slow work settles as soon as it is done', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const work = Promise.withResolvers<string>()
  const padded = padResponseTime(() => work.promise, 5)
  t.mock.timers.tick(5)
  // No timer ends from now on.
  work.resolve('done')
  assert.equal(await padded, 'done')
})
