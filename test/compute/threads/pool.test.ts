/** The limits of worker threads, and tasks that are not admitted. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, describe, it, type TestContext } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { Failure } from '../../../src/base/failure.ts'
import { LAG_MS, TASKS_PER_ACCOUNT, WAIT_MS } from '../../../src/base/limits/callers.ts'
import { openPool, type PoolOptions } from '../../../src/compute/threads/pool.ts'
import { PATIENT } from '../../support/service.ts'
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
    ...PATIENT,
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
        // The limit of the waiting time counts from now.
        if (death === 'hang') clock.pass(NEARLY_STOPPED_MS)
        const waiting = pool.run(task(FOREST, small()))
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

  describe('a task that waits for a thread', () => {
    it('fails after its own limit, and is neither stopped for the task before it nor keeps its account waiting', async (t) => {
      const clock = clockOf(t)
      const pool = open({ timeLimitMs: TIME_LIMIT_MS, waitLimitMs: WAIT_MS })
      const hanging = pool.run(task('hang', small()))
      const waiting = pool.run(task(FOREST, small()))
      clock.pass(WAIT_MS)
      assertOverloaded(await waiting, /No thread became free .* within 10 s/)
      clock.pass(TIME_LIMIT_MS - WAIT_MS)
      assertOverloaded(await hanging, /was stopped/)
      assert.match(text(await pool.run(task(FOREST, small()))), COMPUTED)
    })

    it('has its whole time limit once it has a thread', async (t) => {
      const clock = clockOf(t)
      const pool = open({ timeLimitMs: WAIT_MS, waitLimitMs: WAIT_MS })
      const first = pool.run(task('hang', small()))
      clock.pass(WAIT_MS - 1)
      const asked = Promise.withResolvers<void>()
      const admission = Promise.withResolvers<void>()
      const second = pool.runOnceAdmitted(task(BATCH, batch()), () => {
        asked.resolve()
        return admission.promise
      })
      clock.pass(1)
      assertOverloaded(await first, /was stopped/)
      await asked.promise
      clock.pass(WAIT_MS - 1)
      admission.resolve()
      assert.match(text((await second).outcome), /"success":true/)
    })
  })

  describe('the processor time of a request', () => {
    it('is that of its thread, not the time for which the thread waited', async () => {
      const pool = open({})
      const usedMs: number[] = []
      const onUsed = (ms: number) => usedMs.push(ms)
      await pool.run(task(FOREST, small()))
      await pool.run({ ...task('linger 600', small()), onUsed, cost: 1 })
      assert.equal(usedMs.length, 3)
      for (const ms of usedMs) assert.ok(ms < 300, String(ms))
      await pool.run({ ...task('spin 300', small()), onUsed })
      assert.ok(usedMs[3] >= 300, String(usedMs[3]))
    })

    it('is counted for a request that is stopped', async (t) => {
      const clock = clockOf(t)
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      const usedMs: number[] = []
      const onUsed = (ms: number) => usedMs.push(ms)
      await pool.run(task(FOREST, small()))
      const before = process.cpuUsage()
      const processMs = () => (process.cpuUsage(before).user + process.cpuUsage(before).system) / 1_000
      const spinning = pool.run({ ...task('spin 60000', small()), onUsed })
      // Only the spinning thread uses the processor, whatever other processes do.
      while (processMs() < 800) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
      clock.pass(TIME_LIMIT_MS)
      assertOverloaded(await spinning, /was stopped/)
      const spent = processMs()
      const announced = new BroadcastChannel('dying worker')
      t.after(() => announced.close())
      const hangs = once(announced as unknown as EventTarget, 'message')
      const hanging = pool.run({ ...task('hang', small()), onUsed })
      await hangs
      clock.pass(TIME_LIMIT_MS)
      assertOverloaded(await hanging, /was stopped/)
      const [ofSpinning, ofHanging] = usedMs
      assert.ok(ofSpinning >= 500 && ofSpinning <= spent, `${usedMs} of ${spent}`)
      assert.ok(ofHanging < ofSpinning / 2, String(usedMs))
    })
  })

  describe('the queue', () => {
    it('takes the 50 tasks that a program sends at once, and refuses those beyond the limit of an account', async () => {
      const pool = open({})
      const run = (count: number) =>
        Promise.all(Array.from({ length: count }, () => pool.run(task(FOREST, small()))))
      for (const outcome of await run(50)) assert.match(text(outcome), COMPUTED)
      const [further] = (await run(TASKS_PER_ACCOUNT + 1)).filter((outcome) => outcome instanceof Failure)
      assertOverloaded(further, /has 64 large or heavy computations in progress/)
    })

    it('is bounded for further tasks of accounts, and has room for the first one of others', async (t) => {
      const clock = clockOf(t)
      const pool = open({ timeLimitMs: TIME_LIMIT_MS })
      const dying = [1, 2].map((account) => {
        clock.pass(LAG_MS)
        return pool.run(task('hang', small(), account, 'guest'))
      })
      clock.pass(LAG_MS)
      assert.equal(pool.load().running, 2)
      const waiting = Array.from({ length: 6 * TASKS_PER_ACCOUNT }, (_, i) =>
        pool.run(task(FOREST, small(), 3 + Math.floor(i / TASKS_PER_ACCOUNT), 'guest')),
      )
      clock.pass(LAG_MS)
      const outcomes = await Promise.all(waiting)
      const refused = outcomes.filter((outcome) => outcome instanceof Failure)
      // Of the last two accounts, which found the queue full for further tasks, only the first one is taken.
      assert.equal(refused.length, 2 * (TASKS_PER_ACCOUNT - 1))
      assertOverloaded(refused[0], /Too many heavy computations are waiting/)
      clock.pass(TIME_LIMIT_MS)
      for (const outcome of await Promise.all(dying)) assertOverloaded(outcome, /was stopped/)
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
      while (pool.load().running > 0) await nextIteration()
      await nextIteration()
      assert.equal(hasEnded, false)
      admission.resolve('admitted')
      const { admitted, outcome } = await run
      assertOverloaded(outcome, /stopped/)
      assert.equal(admitted, 'admitted')
    })
  })
})
