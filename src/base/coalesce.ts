/** Gathers items that arrive together, or while a run is in progress, into one run; and calls that want the same run. */

interface CoalesceOptions {
  readonly maxItems?: number
  /**
   * A group stays open until as many items wait as were in progress when the run before it ended: callers that were answered
   * together tend to ask again together. Otherwise parts of them would take turns, at several times the number of runs.
   */
  readonly awaitsCallers?: boolean
  /** A group stays open for up to this many iterations of the event loop before it runs, while each brings another item. */
  readonly gatherIterations?: number
}

export interface Coalescer<Item, Result> {
  add(item: Item): Promise<Result>
  /** Fails every item whose run has not begun. */
  rejectWaiting(error: unknown): void
}

/** A group stays open no longer than this, however long the iterations take. */
const OPEN_MS = 5
/** A group that awaits callers stays open while each period of this length brings some. */
const PERIOD_MS = 1
/** Where callers do not come back, as at a fixed rate, waiting only delays: up to this many groups do not wait. */
const MOST_HURRIED = 63

/** Cheaper than `setImmediate` of node:timers/promises, which can be aborted. */
const nextIteration = () => new Promise<void>((resolve) => setImmediate(resolve))

/**
 * Turns a function over many items into one over a single item. The item of a lone caller waits for no timer: it runs
 * at the end of the iteration of the event loop in which it arrived. One run is in progress at a time.
 * @param run gets the items in arrival order, and returns a result or an error for each; if it rejects, all items fail
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<readonly (Result | Error)[]>,
  { awaitsCallers = false, gatherIterations = 0, maxItems = 512 }: CoalesceOptions = {},
): Coalescer<Item, Result> {
  interface Waiting {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (error: unknown) => void
  }
  let queue: Waiting[] = []
  let isRunning = false

  const gather = async (): Promise<void> => {
    const until = performance.now() + OPEN_MS
    let seen = 0
    for (let i = 0; i < gatherIterations && queue.length > seen && performance.now() < until; i++) {
      seen = queue.length
      await nextIteration()
    }
  }
  const callers = callersOf(() => queue.length, maxItems)
  const stayOpen = awaitsCallers ? callers.stayOpen : gather

  const runAll = async (): Promise<void> => {
    await stayOpen()
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
      callers.answered(group.length)
      await stayOpen()
    }
    isRunning = false
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        callers.onAdded()
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

/** Decides how long a group stays open for callers that were answered a moment ago. @param waiting the items of the group */
function callersOf(waiting: () => number, most: number) {
  /** The items that were in progress when the last run ended. */
  let expected = 0
  let endedAt = Number.NEGATIVE_INFINITY
  /** The groups that do not wait after one that waited in vain, and how many of them are left. */
  let hurried = 0
  let left = 0
  const nothing = (): void => undefined
  const callers = {
    onAdded: nothing,
    answered(items: number): void {
      expected = Math.min(most, items + waiting())
      endedAt = performance.now()
    },
    async stayOpen(): Promise<void> {
      const startedAt = performance.now()
      const missing = expected - waiting()
      if (waiting() === 0 || missing <= 0 || startedAt - endedAt > OPEN_MS || left-- > 0) return
      let seen: number
      do {
        seen = waiting()
        await periodOrAllBack()
      } while (waiting() > seen && waiting() < expected && performance.now() - startedAt < OPEN_MS)
      callers.onAdded = nothing
      hurried = expected - waiting() > missing / 2 ? Math.min(MOST_HURRIED, 2 * hurried + 1) : 0
      left = hurried
    },
  }
  const periodOrAllBack = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PERIOD_MS)
      callers.onAdded = () => {
        if (waiting() < expected) return
        clearTimeout(timer)
        setImmediate(resolve)
      }
    })
  return callers
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
