/** Opens the worker for tables from the page. */
import type { WorkerOutcome } from '../replies.ts'
import type { Table, TableWorker, TaskProgress } from './shapes.ts'

interface Task {
  readonly task: string
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
  readonly onProgress: ((progress: TaskProgress) => void) | undefined
}

export function openTableWorker(): TableWorker {
  const worker = new Worker('/assets/worker.js', { type: 'module' })
  const waiting = new Map<number, Task>()
  let last = 0
  worker.addEventListener('message', ({ data: { id, progress, fault, result } }) => {
    const task = waiting.get(id)
    if (task === undefined) return
    if (progress !== undefined) return task.onProgress?.(progress)
    waiting.delete(id)
    fault === undefined ? task.resolve(result as never) : task.reject(new Error(fault))
  })
  const ask = <Result>(task: string, given: object = {}, onProgress?: (progress: TaskProgress) => void) =>
    new Promise<Result>((resolve, reject) => {
      waiting.set(++last, { task, resolve, reject, onProgress })
      worker.postMessage({ id: last, task, ...given })
    })
  return {
    read: (given) => ask<Table>('read', given),
    preview: (given) => ask('preview', given),
    call: (given, onProgress) => ask<WorkerOutcome>('call', given, onProgress),
    model: () => ask('model'),
    cancel: () => ask('cancel'),
    /** Ends the worker. A running call resolves as cancelled; the promises of other tasks never settle. */
    close: () => {
      worker.terminate()
      const outcome = { outcome: 'cancelled' }
      for (const { task, resolve } of waiting.values()) if (task === 'call') resolve(outcome as never)
    },
  }
}
