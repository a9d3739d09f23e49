/** Opens the worker for tables from the page. */
// @ts-nocheck: to be converted

/** A worker with one table. Each task returns a promise, which rejects with an Error that has a message for people. */
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
    /** Ends the worker. A running call resolves as cancelled; the promises of other tasks never settle. */
    close: () => {
      worker.terminate()
      for (const { task, resolve } of waiting.values()) if (task === 'call') resolve({ outcome: 'cancelled' })
    },
  }
}
