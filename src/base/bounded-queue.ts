/** Queues: a few tasks run at once, others wait in order; where the number of waiting tasks is bounded, further ones are refused. */
type QueueBounds = {
  readonly concurrent: number
  /** Whether the error of a task also fails all waiting tasks, which then do not run. */
  readonly failsWaiting?: (error: unknown) => boolean
} & (
  | {
      readonly waiting: number
      /** Makes the error of a refused task. */
      readonly onFull: () => Error
    }
  | { readonly waiting?: never; readonly onFull?: never }
)

export type Queue = <Result>(task: () => Promise<Result>) => Promise<Result>
export type KeyedQueue = <Result>(key: string, task: () => Promise<Result>) => Promise<Result>

export function boundedQueue(bounds: QueueBounds): Queue {
  const waiting: { go: () => void; fail: (error: unknown) => void }[] = []
  let running = 0
  const enter = (): Promise<void> => {
    if (running < bounds.concurrent) {
      running++
      return Promise.resolve()
    }
    if (bounds.waiting !== undefined && waiting.length >= bounds.waiting)
      return Promise.reject(bounds.onFull())
    return new Promise((go, fail) => waiting.push({ go, fail }))
  }
  // The next waiting task takes the place at once, so that a task that arrives now cannot overtake it.
  const leave = () => {
    const next = waiting.shift()
    if (next === undefined) running--
    else next.go()
  }
  return async (task) => {
    await enter()
    try {
      return await task()
    } catch (error) {
      if (bounds.failsWaiting?.(error)) for (const { fail } of waiting.splice(0)) fail(error)
      throw error
    } finally {
      leave()
    }
  }
}

/** One queue per key; it exists only while it has tasks. */
export function keyedQueue(bounds: QueueBounds): KeyedQueue {
  const queues = new Map<string, { run: Queue; tasks: number }>()
  return async (key, task) => {
    const queue = queues.get(key) ?? { run: boundedQueue(bounds), tasks: 0 }
    queues.set(key, queue)
    queue.tasks++
    try {
      return await queue.run(task)
    } finally {
      queue.tasks--
      if (queue.tasks === 0) queues.delete(key)
    }
  }
}
