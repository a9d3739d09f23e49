/** Measured durations exclude the time in which a busy machine did not run the process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuTime, timeTaken } from '../support/time-taken.ts'

/** Computes for so many milliseconds of this thread's processor time. */
function compute(ms: number): void {
  const before = process.threadCpuUsage()
  for (;;) {
    const { system, user } = process.threadCpuUsage(before)
    if (system + user >= ms * 1_000) return
  }
}

test('a wait that is too long is counted', async () => {
  // On a busy machine most of the wait may be subtracted, and seldom several times in a row.
  let most = 0
  for (let time = 0; time < 5 && most <= 30; time++)
    most = Math.max(most, (await timeTaken(() => sleep(300))).ms)
  assert.ok(most > 30, `${most} ms`)
})

test('a computation that is too long is counted', async () => {
  const { ms, result } = await timeTaken(async () => compute(300))
  assert.equal(result, undefined)
  assert.ok(ms > 280, `${ms} ms`)
  assert.ok(cpuTime(() => compute(100)) >= 100)
})

test('time in which this thread does not run is not counted', async () => {
  const stopped = async () => {
    await sleep(20)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    await sleep(20)
  }
  const { ms } = await timeTaken(stopped)
  assert.ok(ms < 500, `${ms} ms`)
})
