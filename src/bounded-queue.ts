/** Runs a few asynchronous tasks at once, lets a bounded number wait in order, and refuses the rest. */

export function boundedQueue(bounds: { concurrent: number; waiting: number; onFull: () => Error }) {
  const line: (() => void)[] = []
  let running = 0
  const enter = (): Promise<void> => {
    if (running < bounds.concurrent) {
      running++
      return Promise.resolve()
    }
    if (line.length >= bounds.waiting) return Promise.reject(bounds.onFull())
    return new Promise((go) => line.push(go))
  }
  // A place is handed on rather than freed, so that no newcomer overtakes the line.
  const leave = () => {
    const next = line.shift()
    if (next === undefined) running--
    else next()
  }
  return async function run<Result>(task: () => Promise<Result>): Promise<Result> {
    await enter()
    try {
      return await task()
    } finally {
      leave()
    }
  }
}
