/** The memory of a thread: what tasks leave in it after they have ended. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { it } from 'node:test'
import type { Worker } from 'node:worker_threads'
import { openPool } from '../../../src/compute/threads/pool.ts'
import { closedAfter, PATIENT } from '../../support/service.ts'
import { bytesOf, task } from './tasks.ts'

const COLUMNS = '/quantlib/economics/utility/log/columns'
/** So many that they are computed in pieces. */
const ROWS = 5_000
const TASKS = 40

const workers: Worker[] = []
process.on('worker', (worker) => workers.push(worker))
const pool = closedAfter(openPool({ threads: 1, ...PATIENT }))

/** The number of ports in the memory of the thread, after a collection. */
async function ports(): Promise<number> {
  const { nodes, snapshot, strings } = JSON.parse(await text(await workers[0].getHeapSnapshot()))
  const { node_fields: fields } = snapshot.meta
  const names = (nodes as number[]).filter((_, index) => index % fields.length === fields.indexOf('name'))
  return names.filter((name) => strings[name] === 'Node / MessagePort').length
}

it('no port is left of columns that were computed in pieces', async () => {
  const body = { columns: { wealth: Array.from({ length: ROWS }, (_, row) => row + 1) } }
  const run = () => pool.runOnceAdmitted(task(COLUMNS, bytesOf(body)), async () => null)
  await run()
  const before = await ports()
  for (let n = 0; n < TASKS; n++) await run()
  const left = (await ports()) - before
  assert.ok(left < TASKS / 4, `${left} of ${TASKS} ports`)
})
