/** The page's side of the worker for tables. */

/** One worker with one table; each task returns a promise, which rejects with an Error whose message is for people. */
export function openTableWorker() {
  const worker = new Worker('/assets/worker.js', { type: 'module' })
  const waiting = new Map()
  let last = 0
  worker.addEventListener('message', ({ data: { id, progress, fault, result } }) => {
    const task = waiting.get(id)
    if (task === undefined) return
    if (progress !== undefined) return task.onProgress?.(progress)
    waiting.delete(id)
    fault === undefined ? task.resolve(result) : task.reject(new Error(fault))
  })
  const ask = (task, given = {}, onProgress) =>
    new Promise((resolve, reject) => {
      waiting.set(++last, { task, resolve, reject, onProgress })
      worker.postMessage({ id: last, task, ...given })
    })
  return {
    read: (given) => ask('read', given),
    preview: (given) => ask('preview', given),
    call: (given, onProgress) => ask('call', given, onProgress),
    model: () => ask('model'),
    cancel: () => ask('cancel'),
    /** Cancels a call; other tasks never end. */
    close: () => {
      worker.terminate()
      for (const { task, resolve } of waiting.values()) if (task === 'call') resolve({ outcome: 'cancelled' })
    },
  }
}
