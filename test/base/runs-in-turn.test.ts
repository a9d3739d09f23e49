/** The callers that share a run, and the order of runs. */
import assert from 'node:assert/strict'
import { it } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { runsInTurn } from '../../src/base/coalesce.ts'

/** Runs that the test ends. */
function scripted() {
  const runs: { end(): void; fail(error: Error): void }[] = []
  let [running, most] = [0, 0]
  const run = runsInTurn(() => {
    most = Math.max(most, ++running)
    return new Promise<void>((resolve, reject) => {
      runs.push({ end: resolve, fail: reject })
    }).finally(() => {
      running -= 1
    })
  })
  return { run, runs, most: () => most }
}

it('those who ask while a run is under way share the next one, also if the run fails', async () => {
  const { run, runs } = scripted()
  const first = run()
  await nextIteration()
  const later = [run(), run()]
  await nextIteration()
  assert.equal(runs.length, 1, 'the next one waits')
  runs[0].fail(new Error('no room'))
  await assert.rejects(first, /no room/)
  await nextIteration()
  assert.equal(runs.length, 2)
  runs[1].end()
  await Promise.all(later)
})

it('no run begins beside another, whenever somebody asks at its end', async () => {
  for (let ticks = 0; ticks < 12; ticks++) {
    const { most, run, runs } = scripted()
    const asked = [run()]
    await nextIteration()
    asked.push(run())
    runs[0].end()
    for (let tick = 0; tick < ticks; tick++) await null
    asked.push(run())
    for (let n = 1; n < 4; n++) {
      await nextIteration()
      runs[n]?.end()
    }
    await Promise.all(asked)
    assert.equal(most(), 1, `after ${ticks} microtasks`)
  }
})
