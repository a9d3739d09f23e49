/** The limits of worker threads, and tasks that are not admitted. */
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Failure } from '../../../src/base/failure.ts'
import { THREADS_HELD_MS } from '../../../src/base/limits/callers.ts'
import { openPool, type PoolOptions } from '../../../src/compute/threads/pool.ts'
import { PATIENT_MS } from '../../support/service.ts'
import { bytesOf, FOREST, small, task, text } from './tasks.ts'

const BATCH = '/quantlib/batch'
/** The result of a forest. */
const COMPUTED = /"predictions":\[1,1,1\]/
const TIME_LIMIT_MS = 20_000
/** When the tasks behind a hanging one are sent. */
const NEARLY_STOPPED_MS = 0.8 * TIME_LIMIT_MS

/** Time stands still for the pool unless the test lets it pass, so that a busy machine may take any for the start of a thread. */
function clockOf(t: TestContext) {
  // Whole: a sum of other numbers would be rounded, and 20 s be a bit more.
  let now = Math.ceil(performance.now())
  t.mock.method(performance, 'now', () => now)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  return {
    pass(ms: number): void {
      now += ms
      t.mock.timers.tick(ms)
    },
  }
}

const batch = () => bytesOf({ calls: [{ path: FOREST, body: { X: [[1], [2], [9]] } }] })

const pools: ReturnType<typeof openPool>[] = []
const open = (limits: Partial<PoolOptions>) => {
  const pool = openPool({
    threads: 1,
    timeLimitMs: PATIENT_MS,
    worker: new URL('../../support/dying-worker.ts', import.meta.url),
    ...limits,
  })
  pools.push(pool)
  return pool
}
after(async () => {
  for (const pool of pools) await pool.close()
})

function assertOverloaded(outcome: unknown, words: RegExp): void {
  assert.ok(outcome instanceof Failure, String(outcome))
  assert.equal(outcome.code, 'overloaded')
  assert.match(outcome.message, words)
}

describe('the pool', () => {
  describe('a worker', () => {
    for (const [death, limits, words] of [
      ['hang', { timeLimitMs: TIME_LIMIT_MS }, /was stopped/],
      ['hoard', { memoryLimitMb: 96 }, /more memory/],
      ['exit', {}, /interrupted/],
    ] as const)
      it(`that ends by ${death} fails its own task alone; the task behind it runs`, async (t) => {
        const clock = clockOf(t)
        const pool = open(limits)
        let wasStopped = false
        const onStopped = () => {
          wasStopped = true
        }
        const dying = pool.run({ ...task(death, small()), onStopped })
        // The time limit of the waiting task counts from now.
        if (death === 'hang') clock.pass(NEARLY_STOPPED_MS)
        const waiting = pool.run(task(FOREST, small(), 2))
        if (death === 'hang') clock.pass(TIME_LIMIT_MS - NEARLY_STOPPED_MS)
        assertOverloaded(await dying, words)
        assert.equal(wasStopped, death === 'hang')
        assert.match(text(await waiting), COMPUTED)
      })
  })

  describe('the time limit of a request', () => {
    it('covers all its parts together', async () => {
      const pool = open({ timeLimitMs: 3_000 })
      assertOverloaded(await pool.run({ ...task('linger 1500', small()), cost: 1 }), /was stopped/)
    })
  })

  describe('an account whose task was stopped', () => {
    it('gets no thread for as long as the task had one, then for longer', async (t) => {
      const clock = clockOf(t)
      const pool = open({ timeLimitMs: TIME_LIMIT_MS, threads: 2 })
      const pauses: number[] = []
      for (let i = 0; i < 2; i++) {
        const hanging = pool.run(task('hang', small()))
        clock.pass(TIME_LIMIT_MS)
        assertOverloaded(await hanging, /was stopped/)
        const refused = await pool.run(task(FOREST, small()))
        assertOverloaded(refused, /^A computation of this account took too much time or memory/)
        const { retryAfterSeconds } = refused as Failure
        pauses.push(retryAfterSeconds!)
        clock.pass(retryAfterSeconds! * 1_000)
      }
      assert.match(text(await pool.run(task(FOREST, small()))), COMPUTED)
      assert.deepEqual(pauses, [20, 40])
    })
  })

  describe('the queue', () => {
    it('is bounded, and goes on when the thread it waits for ends while it is full', async (t) => {
      const clock = clockOf(t)
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      const dying = pool.run(task('hang', small()))
      // It gets the thread that is started while the first account holds all.
      const second = pool.run(task('hang', small(), 2))
      clock.pass(THREADS_HELD_MS)
      assert.equal(pool.load().registered.running, 2)
      clock.pass(NEARLY_STOPPED_MS - THREADS_HELD_MS)
      const waiting = Array.from({ length: 40 }, (_, owner) => pool.run(task(FOREST, small(), 3 + owner)))
      clock.pass(TIME_LIMIT_MS - NEARLY_STOPPED_MS)
      const outcomes = await Promise.all(waiting)
      assertOverloaded(await dying, /was stopped/)
      assertOverloaded(await second, /was stopped/)
      const refused = outcomes.filter((outcome) => outcome instanceof Failure)
      assert.equal(refused.length, 8)
      assertOverloaded(refused[0], /Too many heavy computations are waiting/)
    })
  })

  describe('a task whose body tells its cost', () => {
    const usual = open({})

    it('is computed after its cost was admitted', async () => {
      const asked: unknown[] = []
      const admit = async (cost: number) => asked.push(cost)
      const { admitted, outcome } = await usual.runOnceAdmitted(task(BATCH, batch()), admit)
      assert.match(text(outcome), /"success":true/)
      assert.equal(admitted, 1)
      assert.deepEqual(asked, [1])
    })

    it('ends with the refusal if it is not admitted', async () => {
      const refuse = () => Promise.reject(new Error('refused'))
      await assert.rejects(usual.runOnceAdmitted(task(BATCH, batch()), refuse), /refused/)
      assert.match(text(await usual.run(task(FOREST, small()))), COMPUTED)
    })

    it('that cannot be read asks for no admission', async () => {
      const admit = () => assert.fail('asked for admission')
      const run = await usual.runOnceAdmitted(task(BATCH, bytesOf({ calls: [] })), admit)
      assert.equal(run.admitted, null)
      assert.equal((run.outcome as Failure).code, 'invalid_input')
    })

    it('does not end before it is known whether it was admitted', async (t) => {
      const clock = clockOf(t)
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      const asked = Promise.withResolvers<void>()
      const admission = Promise.withResolvers<string>()
      let hasEnded = false
      const run = pool
        .runOnceAdmitted(task(BATCH, batch()), () => {
          asked.resolve()
          return admission.promise
        })
        .finally(() => {
          hasEnded = true
        })
      await asked.promise
      clock.pass(TIME_LIMIT_MS)
      // The thread is stopped meanwhile.
      while (pool.load().registered.running > 0) await nextIteration()
      await nextIteration()
      assert.equal(hasEnded, false)
      admission.resolve('admitted')
      const { admitted, outcome } = await run
      assertOverloaded(outcome, /stopped/)
      assert.equal(admitted, 'admitted')
    })
  })
})
