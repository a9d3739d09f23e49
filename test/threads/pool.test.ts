/** The limits of worker threads, and tasks that are not admitted. */
import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Failure } from '../../src/failure.ts'
import { openPool, type PoolOptions } from '../../src/threads/pool.ts'
import { PATIENT_MS } from '../support/service.ts'
import { until } from '../support/until.ts'

const FOREST = '/quantlib/ml/clustering/isolation-forest'
const BATCH = '/quantlib/batch'
/** The result of a forest. */
const COMPUTED = /"predictions":\[1,1,1\]/
const OWNER = 1
/** Its task starts the first thread, which may take long on a busy machine. */
const STARTER = 0
const TIME_LIMIT_MS = 20_000
/** When the tasks behind a hanging one are sent: they then have as long for the start of a thread, which a busy machine needs. */
const NEARLY_STOPPED_MS = 0.8 * TIME_LIMIT_MS

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
const small = () => bytesOf({ X: [[1], [2], [9]] })
const batch = () => bytesOf({ calls: [{ path: FOREST, body: { X: [[1], [2], [9]] } }] })

const pools: ReturnType<typeof openPool>[] = []
const open = (limits: Partial<PoolOptions>) => {
  const pool = openPool({
    threads: 1,
    timeLimitMs: PATIENT_MS,
    worker: new URL('../support/dying-worker.ts', import.meta.url),
    ...limits,
  })
  pools.push(pool)
  return pool
}
after(async () => {
  for (const pool of pools) await pool.close()
})

const task = (path: string, bytes: Uint8Array, accountId = OWNER) => ({
  path,
  bytes,
  caller: { accountId, isGuest: false },
  cost: null,
  micros: 100,
})
const text = (result: object) => Buffer.from((result as { body: Uint8Array }).body).toString()
function assertOverloaded(outcome: unknown, words: RegExp): void {
  assert.ok(outcome instanceof Failure, String(outcome))
  assert.equal(outcome.code, 'overloaded')
  assert.match(outcome.message, words)
}

describe('the pool', { concurrency: true }, () => {
  describe('a worker', { concurrency: true }, () => {
    for (const [death, limits, words] of [
      ['hang', { timeLimitMs: TIME_LIMIT_MS }, /was stopped/],
      ['hoard', { memoryLimitMb: 96 }, /more memory/],
      ['exit', {}, /interrupted/],
    ] as const)
      it(`that ends by ${death} fails its own task alone; the task behind it runs`, async () => {
        const pool = open(limits)
        await pool.run(task(FOREST, small(), STARTER))
        let wasStopped = false
        const onStopped = () => {
          wasStopped = true
        }
        const dying = pool.run({ ...task(death, small()), onStopped })
        // The time limit of the waiting task counts from now.
        if (death === 'hang') await sleep(NEARLY_STOPPED_MS)
        const waiting = pool.run(task(FOREST, small(), OWNER + 1))
        assertOverloaded(await dying, words)
        assert.equal(wasStopped, death === 'hang')
        assert.match(text(await waiting), COMPUTED)
      })
  })

  describe('the time limit of a request', { concurrency: true }, () => {
    it('covers all its parts together', async () => {
      const pool = open({ timeLimitMs: 8_000 })
      assertOverloaded(await pool.run({ ...task('linger 4000', small()), cost: 1 }), /was stopped/)
    })
  })

  describe('an account whose task was stopped', { concurrency: true }, () => {
    it('gets no thread for as long as the task had one, then for longer', async () => {
      const pool = open({ timeLimitMs: TIME_LIMIT_MS / 4, threads: 2 })
      await pool.run(task(FOREST, small(), STARTER))
      const pauses: number[] = []
      for (let i = 0; i < 2; i++) {
        assertOverloaded(await pool.run(task('hang', small())), /was stopped/)
        const refused = await pool.run(task(FOREST, small()))
        assertOverloaded(refused, /^A computation of this account took too much time or memory/)
        const { retryAfterSeconds } = refused as Failure
        pauses.push(retryAfterSeconds!)
        await sleep(retryAfterSeconds! * 1_000)
      }
      // A busy machine may stop it once more.
      await until(async () => 'body' in (await pool.run(task(FOREST, small()))), 'it gets a thread again')
      assert.ok(pauses[1] > pauses[0], pauses.join(' s, then '))
    })
  })

  describe('the queue', { concurrency: true }, () => {
    it('is bounded, and goes on when the thread it waits for ends while it is full', async () => {
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      await pool.run(task(FOREST, small(), STARTER))
      const dying = pool.run(task('hang', small()))
      // It gets the thread that is started while the first account holds all.
      const second = pool.run(task('hang', small(), 2))
      await sleep(NEARLY_STOPPED_MS)
      const waiting = Array.from({ length: 40 }, (_, owner) => pool.run(task(FOREST, small(), 3 + owner)))
      const outcomes = await Promise.all(waiting)
      assertOverloaded(await dying, /was stopped/)
      assertOverloaded(await second, /was stopped/)
      const refused = outcomes.filter((outcome) => outcome instanceof Failure)
      assert.equal(refused.length, 8)
      assertOverloaded(refused[0], /Too many heavy computations are waiting/)
    })
  })

  describe('a task whose body tells its cost', { concurrency: true }, () => {
    it('is computed after its cost was admitted', async () => {
      const asked: unknown[] = []
      const admit = async (cost: number) => asked.push(cost)
      const { admitted, outcome } = await open({}).runOnceAdmitted(task(BATCH, batch()), admit)
      assert.match(text(outcome), /"success":true/)
      assert.equal(admitted, 1)
      assert.deepEqual(asked, [1])
    })

    it('ends with the refusal if it is not admitted', async () => {
      const pool = open({})
      const refuse = () => Promise.reject(new Error('refused'))
      await assert.rejects(pool.runOnceAdmitted(task(BATCH, batch()), refuse), /refused/)
      assert.match(text(await pool.run(task(FOREST, small()))), COMPUTED)
    })

    it('that cannot be read asks for no admission', async () => {
      const admit = () => assert.fail('asked for admission')
      const run = await open({}).runOnceAdmitted(task(BATCH, bytesOf({ calls: [] })), admit)
      assert.equal(run.admitted, null)
      assert.equal((run.outcome as Failure).code, 'invalid_input')
    })

    it('does not end before it is known whether it was admitted', async () => {
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      await pool.run(task(FOREST, small(), STARTER))
      let isAdmitted = false
      const admit = async () => {
        await sleep(TIME_LIMIT_MS + 1_000)
        isAdmitted = true
        return 'admitted'
      }
      const { admitted, outcome } = await pool.runOnceAdmitted(task(BATCH, batch()), admit)
      assertOverloaded(outcome, /stopped/)
      assert.equal(admitted, 'admitted')
      assert.equal(isAdmitted, true)
    })
  })
})
