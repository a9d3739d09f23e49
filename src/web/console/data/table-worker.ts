/** Opens the worker for tables from the page. */
import type { TableWorker, TaskProgress, WorkerAnswer, WorkerQuestion, WorkerTask } from './shapes.ts'

interface Task {
  readonly task: WorkerTask['task']
  readonly resolve: (result: never) => void
  readonly reject: (error: Error) => void
  readonly onProgress: ((progress: TaskProgress) => void) | undefined
}

export function openTableWorker(): TableWorker {
  const worker = new Worker('/assets/worker.js', { type: 'module' })
  const waiting = new Map<number, Task>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
    const task = waiting.get(data.id)
    if (task === undefined) return
    if ('progress' in data) return task.onProgress?.(data.progress)
    waiting.delete(data.id)
    'fault' in data ? task.reject(new Error(data.fault)) : task.resolve(data.result as never)
  })
  const ask = <Result>(asked: WorkerTask, onProgress?: (progress: TaskProgress) => void) =>
    new Promise<Result>((resolve, reject) => {
      waiting.set(++last, { task: asked.task, resolve, reject, onProgress })
      worker.postMessage({ id: last, asked } satisfies WorkerQuestion)
    })
  return {
    read: (given) => ask({ task: 'read', ...given }),
    preview: (given) => ask({ task: 'preview', ...given }),
    call: (given, onProgress) => ask({ task: 'call', ...given }, onProgress),
    body: (given) => ask({ task: 'body', ...given }),
    model: () => ask({ task: 'model' }),
    cancel: () => ask({ task: 'cancel' }),
    /** Ends the worker. A running call resolves as cancelled; the promises of other tasks never settle. */
    close: () => {
      worker.terminate()
      const outcome = { outcome: 'cancelled' }
      for (const { task, resolve } of waiting.values()) if (task === 'call') resolve(outcome as never)
    },
  }
}
