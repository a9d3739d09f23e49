/** Work that takes the same time whatever it finds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { evenTime } from '../../src/accounts/even-time.ts'
import { timeTaken } from '../time-taken.ts'

const took = async (work: () => Promise<unknown>): Promise<number> => {
  const startedAt = performance.now()
  await work().catch(() => undefined)
  return performance.now() - startedAt
}

test('quick work and quick failures are answered no earlier than the least time', async () => {
  assert.ok((await took(() => evenTime(async () => 1, 30))) >= 28)
  assert.ok((await took(() => evenTime(() => Promise.reject(new Error('wrong')), 30))) >= 28)
})

test('the outcome is that of the work', async () => {
  assert.equal(await evenTime(async () => 'found', 1), 'found')
  await assert.rejects(
    evenTime(() => Promise.reject(new Error('wrong')), 1),
    /wrong/,
  )
})

test('work that takes longer is answered as soon as it is done', async () => {
  const slow = () => new Promise((resume) => setTimeout(resume, 60))
  assert.ok((await timeTaken(() => evenTime(slow, 5))).ms < 200)
})
