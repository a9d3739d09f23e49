/** Gathers items that arrive together, or while a run is in progress, into one run; and calls that want the same run. */

interface CoalesceOptions {
  readonly maxItems?: number
  /**
   * A group that waited for the run before it stays open for this many iterations of the event loop: clients that
   * were just answered send again, and join it.
   */
  readonly lingerIterations?: number
  /** A group stays open for up to this many iterations before it runs, while each brings another item. */
  readonly gatherIterations?: number
}

export interface Coalescer<Item, Result> {
  add(item: Item): Promise<Result>
  /** Fails every item whose run has not begun. */
  rejectWaiting(error: unknown): void
}

/** A group stays open no longer than this, however long the iterations take. */
const OPEN_MS = 5

/** Cheaper than `setImmediate` of node:timers/promises, which can be aborted. */
const nextIteration = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Turns a function over many items into one over a single item. A lone item waits for no timer: it runs at the end of
 * the iteration of the event loop in which it arrived. One run is in progress at a time.
 * @param run gets the items in arrival order, and returns a result or an error for each; if it rejects, all items fail
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<readonly (Result | Error)[]>,
  { gatherIterations = 0, lingerIterations = 0, maxItems = 512 }: CoalesceOptions = {},
): Coalescer<Item, Result> {
  interface Waiting {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (error: unknown) => void
  }
  let queue: Waiting[] = []
  let isRunning = false

  const stayOpen = async (iterations: number, isWorthIt: () => boolean): Promise<void> => {
    const until = performance.now() + OPEN_MS
    for (let i = 0; i < iterations && isWorthIt() && performance.now() < until; i++) await nextIteration()
  }
  const linger = () => stayOpen(lingerIterations, () => queue.length > 0 && queue.length < maxItems)
  const gather = () => {
    let seen = 0
    return stayOpen(gatherIterations, () => {
      const isGrowing = queue.length > seen
      seen = queue.length
      return isGrowing
    })
  }

  const runAll = async (): Promise<void> => {
    await gather()
    while (queue.length > 0) {
      const group = queue.length <= maxItems ? queue : queue.slice(0, maxItems)
      queue = queue.length <= maxItems ? [] : queue.slice(maxItems)
      try {
        const results = await run(group.map((waiting) => waiting.item))
        group.forEach(({ reject, resolve }, index) => {
          const result = results[index]
          if (result instanceof Error) reject(result)
          else resolve(result)
        })
      } catch (error) {
        for (const waiting of group) waiting.reject(error)
      }
      await linger()
      await gather()
    }
    isRunning = false
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        if (isRunning) return
        isRunning = true
        setImmediate(runAll)
      }),
    rejectWaiting(error) {
      const rejected = queue
      queue = []
      for (const waiting of rejected) waiting.reject(error)
    },
  }
}

/**
 * Returns a function that runs `work`, one run at a time. A run that has begun may miss what a caller has just done, so calls
 * during a run share the next one.
 */
export function runsInTurn<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let begun: Promise<unknown> = Promise.resolve()
  let next: Promise<Result> | null = null
  return () => {
    next ??= begun
      .catch(() => undefined)
      .then(() => {
        next = null
        const run = work()
        begun = run
        return run
      })
    return next
  }
}
