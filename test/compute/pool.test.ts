/** Worker threads that meet their limits, and requests that may not go on. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPool, type PoolOptions } from '../../src/compute/pool.ts'
import { Failure } from '../../src/errors.ts'

const FOREST = '/quantlib/ml/clustering/isolation-forest'
const BATCH = '/quantlib/batch'
const OWNER = 1
/** Long enough for a thread to start in while everything else runs as well. */
const TIME_LIMIT_MS = 15_000

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const small = () => bytesOf({ X: [[1], [2], [9]] })
const batch = () => bytesOf({ calls: [{ path: FOREST, body: { X: [[1], [2], [9]] } }] })

const pools: ReturnType<typeof openPool>[] = []
const open = (limits: Partial<PoolOptions>) => {
  const pool = openPool({
    threads: 1,
    costs: {},
    worker: new URL('dying-worker.ts', import.meta.url),
    ...limits,
  })
  pools.push(pool)
  return pool
}
after(async () => {
  for (const pool of pools) await pool.close()
})

const text = (result: object) => Buffer.from((result as { body: Uint8Array }).body).toString()
const overloaded = (words: RegExp) => (error: unknown) =>
  error instanceof Failure && error.code === 'overloaded' && words.test(error.message)

describe('the pool', { concurrency: true }, () => {
  describe('a worker', { concurrency: true }, () => {
    for (const [death, limits, words] of [
      ['hang', { timeLimitMs: TIME_LIMIT_MS }, /was stopped/],
      ['hoard', { memoryLimitMb: 96 }, /more memory/],
      ['exit', {}, /interrupted/],
    ] as const)
      it(`that ends by ${death} fails its own request alone: what waits behind it is done`, async () => {
        const pool = open(limits)
        await pool.perform(FOREST, small(), OWNER, null)
        const dying = assert.rejects(pool.perform(death, small(), OWNER, null), overloaded(words))
        // What waits has a time limit of its own, that counts from now.
        if (death === 'hang') await sleep(TIME_LIMIT_MS / 2)
        const waiting = pool.perform(FOREST, small(), OWNER, null)
        await dying
        assert.match(text(await waiting), /"success":true/)
      })
  })

  describe('the queue', { concurrency: true }, () => {
    it('is bounded, and goes on when the thread it waits for ends while it is full', async () => {
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      await pool.perform(FOREST, small(), OWNER, null)
      const dying = assert.rejects(pool.perform('hang', small(), OWNER, null), overloaded(/was stopped/))
      await sleep(TIME_LIMIT_MS / 2)
      const waiting = Array.from({ length: 40 }, (_, owner) => pool.perform(FOREST, small(), 2 + owner, null))
      const outcomes = await Promise.allSettled(waiting)
      await dying
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 32)
      const refused = outcomes.find((outcome) => outcome.status === 'rejected')
      assert.match(String(refused?.reason), /Too many heavy computations are waiting/)
    })
  })

  describe('a request whose body tells its extent', { concurrency: true }, () => {
    it('is computed once it was admitted, with the extent that was read', async () => {
      const asked: unknown[] = []
      const admit = async (extent: unknown) => void asked.push(extent)
      assert.match(text(await open({}).perform(BATCH, batch(), OWNER, admit)), /"success":true/)
      assert.deepEqual(asked, [{ units: 1, cost: 1 }])
    })

    it('ends with the refusal where it is not admitted', async () => {
      const pool = open({})
      const refuse = () => Promise.reject(new Error('refused'))
      await assert.rejects(pool.perform(BATCH, batch(), OWNER, refuse), /refused/)
      assert.match(text(await pool.perform(FOREST, small(), OWNER, null)), /"success":true/)
    })

    it('that cannot be read is not asked for', async () => {
      const admit = () => assert.fail('asked for admission')
      const result = await open({}).perform(BATCH, bytesOf({ calls: [] }), OWNER, admit)
      assert.equal((result as { code: string }).code, 'invalid_input')
    })

    it('does not fail before it is known whether it was admitted', async () => {
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      await pool.perform(FOREST, small(), OWNER, null)
      let isAdmitted = false
      const admit = async () => {
        await sleep(TIME_LIMIT_MS + 1_000)
        isAdmitted = true
      }
      await assert.rejects(pool.perform(BATCH, batch(), OWNER, admit), overloaded(/stopped/))
      assert.equal(isAdmitted, true)
    })
  })
})
