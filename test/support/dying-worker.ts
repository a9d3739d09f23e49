/** A worker that acts as the path of a task says: it dies in one of several ways, delays, or runs the task as the real one does. */
import { setTimeout as sleep } from 'node:timers/promises'
import runTask, { measured, processorMicros, type WorkerTask } from '../../src/compute/threads/worker.ts'

/** Tells the test that a thread hangs from now on. */
const announced = new BroadcastChannel('dying worker')
announced.unref()

export default (task: WorkerTask): Promise<unknown> => measured(task, () => run(task))

async function run(task: WorkerTask): Promise<unknown> {
  const hoard: unknown[] = []
  const [act, ms] = task.path.split(' ')
  switch (act) {
    case 'hang':
      announced.postMessage('hangs')
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    case 'exit':
      return process.exit(3)
    case 'hoard':
      for (;;) hoard.push(new Array(1_000_000).fill(0.5))
    case 'spin': {
      while (processorMicros() - task.processor[1] < 1_000 * Number(ms));
      return { ...RESULT, pieces: [] }
    }
    // Each step of the request takes this time: reading it, computing its only piece, and printing the reply.
    case 'linger':
      await sleep(Number(ms))
      if ('size' in task) Atomics.add(task.rows.next, 0, task.size)
      return 'bytes' in task ? oneRow() : { ...RESULT, pieces: [] }
    default:
      return await runTask(task)
  }
}

const RESULT = { body: new Uint8Array(), encoding: 'json', calls: 1, credits: 1, parts: null }

/** A body that was read, of which one row remains to be computed. */
const oneRow = () => ({
  rows: { table: { rows: 1 }, next: new Int32Array(new SharedArrayBuffer(4)) },
  cost: 1,
  micros: 1,
})
