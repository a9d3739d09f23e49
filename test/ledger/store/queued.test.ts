/** The queue of transactions: a limited number runs at once, the others in order; all fail if the database is unreachable. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queued, type Run } from '../../../src/ledger/store/sql.ts'
import { NotCommitted } from '../../../src/ledger/store/store.ts'

/** Transactions that the test ends, and the largest number that ran at once. */
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
const iteration = () => new Promise((resume) => setImmediate(resume))

test('at most the given number of transactions run at once, and all of them run', async () => {
  const { run, seen } = scripted()
  const queue = queued(run, 2)
  const all = Promise.all(Array.from({ length: 5 }, () => queue(never)))
  for (let ended = 0; ended < 5; ended++) {
    await iteration()
    seen.ends[ended].resolve()
  }
  await all
  assert.equal(seen.most, 2)
})

test('when a transaction is not committed, all that wait fail with its error, and the next one runs', async () => {
  const { run, seen } = scripted()
  const queue = queued(run, 1)
  const [first, ...waiting] = Array.from({ length: 3 }, () => queue(never).catch((error) => error))
  await iteration()
  const lost = new NotCommitted('Cannot connect')
  seen.ends[0].reject(lost)
  assert.deepEqual(await Promise.all([first, ...waiting]), [lost, lost, lost])
  const again = queue(never)
  await iteration()
  seen.ends[1].resolve()
  await again
})

test('any other error fails only its own transaction', async () => {
  const { run, seen } = scripted()
  const queue = queued(run, 1)
  const failing = queue(never).catch((error: Error) => error.message)
  const waiting = queue(never)
  await iteration()
  seen.ends[0].reject(new Error('a bug'))
  assert.equal(await failing, 'a bug')
  await iteration()
  seen.ends[1].resolve()
  await waiting
})
