/** Bounds the time that the calls of one account take on the event loop in one of its iterations. */
import { setImmediate as nextIteration } from 'node:timers/promises'

export interface EventLoopShares {
  /** Waits while the account has used up its share of the iteration; null: it has not. */
  waitForShare(owner: number): Promise<void> | null
  /** Runs work of the account at once, and counts its time. */
  run<Result>(owner: number, work: () => Result): Result
}

export function eventLoopShares(shareMs: number): EventLoopShares {
  const usedMs = new Map<number, number>()
  const clear = (): void => usedMs.clear()
  const isUsedUp = (owner: number): boolean => (usedMs.get(owner) ?? 0) >= shareMs
  const wait = async (owner: number): Promise<void> => {
    while (isUsedUp(owner)) await nextIteration()
  }
  return {
    waitForShare: (owner) => (isUsedUp(owner) ? wait(owner) : null),
    run(owner, work) {
      const startedAt = performance.now()
      try {
        return work()
      } finally {
        if (usedMs.size === 0) setImmediate(clear)
        usedMs.set(owner, (usedMs.get(owner) ?? 0) + performance.now() - startedAt)
      }
    },
  }
}
