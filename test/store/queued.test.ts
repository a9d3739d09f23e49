/** Transactions take turns: a few at once, in order, and nobody in line waits for a database that is away. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queued, type Run } from '../../src/store/methods.ts'
import { NotCommitted } from '../../src/store/store.ts'

/** Transactions that end when the test says so, and the most that were ever under way. */
function scripted() {
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = []
  let running = 0
  const seen = { most: 0, ends }
  const run = (async () => {
    seen.most = Math.max(seen.most, ++running)
    await new Promise<void>((resolve, reject) => ends.push({ resolve, reject })).finally(() => running--)
  }) as Run
  return { run, seen }
}

const never = () => {
  throw new Error('the script runs no transaction')
}
const turn = () => new Promise((resume) => setImmediate(resume))

test('no more than the given number run at once, and all of them run', async () => {
  const { run, seen } = scripted()
  const turns = queued(run, 2)
  const all = Promise.all(Array.from({ length: 5 }, () => turns(never)))
  for (let ended = 0; ended < 5; ended++) {
    await turn()
    seen.ends[ended]!.resolve()
  }
  await all
  assert.equal(seen.most, 2)
})

test('a database that is away is told to everybody in line, and the next one tries again', async () => {
  const { run, seen } = scripted()
  const turns = queued(run, 1)
  const [first, ...waiting] = Array.from({ length: 3 }, () => turns(never).catch((error) => error))
  await turn()
  const away = new NotCommitted('away')
  seen.ends[0]!.reject(away)
  assert.deepEqual(await Promise.all([first, ...waiting]), [away, away, away])
  const again = turns(never)
  await turn()
  seen.ends[1]!.resolve()
  await again
})

test('any other failure is its own transaction’s alone', async () => {
  const { run, seen } = scripted()
  const turns = queued(run, 1)
  const failing = turns(never).catch((error: Error) => error.message)
  const waiting = turns(never)
  await turn()
  seen.ends[0]!.reject(new Error('a bug'))
  assert.equal(await failing, 'a bug')
  await turn()
  seen.ends[1]!.resolve()
  await waiting
})
