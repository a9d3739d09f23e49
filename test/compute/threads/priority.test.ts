/** Heavy work yields to the thread that answers. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openPool } from '../../../src/compute/threads/pool.ts'
import { PATIENT } from '../../support/service.ts'
import { bytesOf, task } from './tasks.ts'

/** Nice values by thread name, as Linux tells them. */
function niceValues(): Record<string, number> {
  const stats = readdirSync('/proc/self/task').flatMap((id) => {
    try {
      return readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    } catch {
      // This thread of an earlier file ended meanwhile.
      return []
    }
  })
  return Object.fromEntries(
    stats.map((stat) => {
      const end = stat.lastIndexOf(')')
      return [stat.slice(stat.indexOf('(') + 1, end), Number(stat.slice(end + 2).split(' ')[16])]
    }),
  )
}

test('a worker thread runs at a lower priority than the thread that answers', {
  skip: process.platform !== 'linux' && 'priorities of threads are known on Linux alone',
}, async () => {
  const before = niceValues().MainThread!
  const pool = openPool({ threads: 1, ...PATIENT })
  const body = bytesOf({ probabilities: [0.5, 0.5] })
  const answer = await pool.run(task('/quantlib/physics/entropy/shannon', body))
  assert('body' in answer, JSON.stringify(answer))
  const { MainThread, WorkerThread } = niceValues()
  await pool.close()
  assert.equal(MainThread, before)
  assert.equal(WorkerThread, Math.min(19, before + 10))
})
