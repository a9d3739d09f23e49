/** Group commit: items that arrive together, or while a batch is under way, share the next one. */
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface CoalesceOptions {
  readonly maxItems?: number
  /**
   * For so many turns of the event loop a batch that waited behind another stays open once it could begin: whoever
   * was just answered comes again, and shares it.
   */
  readonly lingerTurns?: number
  /** For up to so many turns a batch stays open before it begins, while each brings it another item. */
  readonly gatherTurns?: number
}

export interface Coalescer<Item, Result> {
  add(item: Item): Promise<Result>
  /** Fails every item whose batch has not begun. */
  rejectWaiting(error: unknown): void
}

/** What pays before SQLite: forcing the log to disk costs the same for few as for many. A database at a distance waits enough. */
export const LINGER_TURNS = 5
/** … and no longer than this, where others compute in these turns. */
const LINGER_MS = 5

/**
 * Turns a function over many items into one over a single item. A lone item waits for no timer: its batch
 * begins at the end of the turn of the event loop it arrived in. One batch is under way at a time.
 * @param run gets the items in arrival order and returns one result each, or the error of one that failed; when it
 * throws, all of them fail
 */
export function coalesce<Item, Result>(
  run: (items: Item[]) => Promise<readonly (Result | Error)[]>,
  { gatherTurns = 0, lingerTurns = 0, maxItems = 512 }: CoalesceOptions = {},
): Coalescer<Item, Result> {
  interface Waiting {
    readonly item: Item
    readonly resolve: (result: Result) => void
    readonly reject: (error: unknown) => void
  }
  let queue: Waiting[] = []
  let underWay = false

  const stayOpen = async (turns: number, isWorthIt: () => boolean): Promise<void> => {
    const until = performance.now() + LINGER_MS
    for (let turn = 0; turn < turns && isWorthIt() && performance.now() < until; turn++) await nextTurn()
  }
  const linger = () => stayOpen(lingerTurns, () => queue.length > 0)
  const gather = () => {
    let seen = 0
    return stayOpen(gatherTurns, () => {
      const isGrowing = queue.length > seen
      seen = queue.length
      return isGrowing
    })
  }

  const flush = async (): Promise<void> => {
    await gather()
    while (queue.length > 0) {
      const batch = queue.length <= maxItems ? queue : queue.slice(0, maxItems)
      queue = queue.length <= maxItems ? [] : queue.slice(maxItems)
      try {
        const results = await run(batch.map((waiting) => waiting.item))
        batch.forEach(({ reject, resolve }, index) => {
          const result = results[index]!
          if (result instanceof Error) reject(result)
          else resolve(result)
        })
      } catch (error) {
        for (const waiting of batch) waiting.reject(error)
      }
      await linger()
      await gather()
    }
    underWay = false
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        if (underWay) return
        underWay = true
        setImmediate(flush)
      }),
    rejectWaiting(error) {
      const rejected = queue
      queue = []
      for (const waiting of rejected) waiting.reject(error)
    },
  }
}
