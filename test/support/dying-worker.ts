/** A worker that does what its path says: dies in one of several ways, or runs tasks as the real one does. */
import runTask, { type WorkerTask } from '../../src/threads/worker.ts'

export default async function (task: WorkerTask): Promise<unknown> {
  const hoard: unknown[] = []
  switch (task.path) {
    case 'hang':
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    case 'exit':
      return process.exit(3)
    case 'hoard':
      for (;;) hoard.push({ [`k${hoard.length}`]: String(Math.random()) })
    default:
      return await runTask(task)
  }
}
