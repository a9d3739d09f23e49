/** Runs a few asynchronous tasks at once, lets a bounded number wait in order, and refuses the rest. */

interface Bounds {
  readonly concurrent: number
  readonly waiting: number
  readonly onFull: () => Error
  /** Whether a task's error is passed to all tasks that wait, which then do not run. */
  readonly failsWaiting?: (error: unknown) => boolean
}

export function boundedQueue(bounds: Bounds) {
  const line: { go: () => void; fail: (error: unknown) => void }[] = []
  let running = 0
  const enter = (): Promise<void> => {
    if (running < bounds.concurrent) {
      running++
      return Promise.resolve()
    }
    if (line.length >= bounds.waiting) return Promise.reject(bounds.onFull())
    return new Promise((go, fail) => line.push({ go, fail }))
  }
  // A place is handed on rather than freed, so that no newcomer overtakes the line.
  const leave = () => {
    const next = line.shift()
    if (next === undefined) running--
    else next.go()
  }
  return async function run<Result>(task: () => Promise<Result>): Promise<Result> {
    await enter()
    try {
      return await task()
    } catch (error) {
      if (bounds.failsWaiting?.(error)) for (const { fail } of line.splice(0)) fail(error)
      throw error
    } finally {
      leave()
    }
  }
}
