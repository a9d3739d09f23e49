/** The order in which the tasks of one account are served. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPool } from '../../../src/compute/threads/pool.ts'
import { PATIENT } from '../../support/service.ts'
import { bytesOf, task } from './tasks.ts'

const CLIENTS = 6
const TASKS_PER_CLIENT = 40

const CALLS = { calls: [{ path: '/quantlib/economics/utility/log', body: { wealth: 2 } }] }

test('a task waits for those before it, not for those that arrive later', async () => {
  const pool = openPool({ threads: 1, ...PATIENT })
  let sent = 0
  const begun: number[] = []
  /** Sends its next task when the one before is answered; admission is asked for when a task begins. */
  const client = async () => {
    for (let i = 0; i < TASKS_PER_CLIENT; i++) {
      const number = sent++
      await pool.runOnceAdmitted(task('/quantlib/batch', bytesOf(CALLS)), async () => begun.push(number))
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  await pool.close()
  assert.equal(begun.length, CLIENTS * TASKS_PER_CLIENT)
  assert.deepEqual(
    begun,
    [...begun].sort((a, b) => a - b),
  )
})
