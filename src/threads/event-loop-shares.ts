/** Bounds the time that the calls of one account take on the event loop in one of its iterations. */
import { setImmediate as nextIteration } from 'node:timers/promises'

export type EventLoopShares = ReturnType<typeof eventLoopShares>

export function eventLoopShares(shareMs: number) {
  const usedMs = new Map<number, number>()
  const clear = (): void => usedMs.clear()
  const isUsedUp = (owner: number): boolean => (usedMs.get(owner) ?? 0) >= shareMs
  const wait = async (owner: number): Promise<void> => {
    while (isUsedUp(owner)) await nextIteration()
  }
  const countSince = (owner: number, startedAt: number): void => {
    if (usedMs.size === 0) setImmediate(clear)
    usedMs.set(owner, (usedMs.get(owner) ?? 0) + performance.now() - startedAt)
  }
  /** By owner, the end of the last work that takes turns. */
  const turns = new Map<number, Promise<void>>()
  return {
    /** Waits while the account has used up its share of the iteration; null: it has not. */
    waitForShare: (owner: number): Promise<void> | null => (isUsedUp(owner) ? wait(owner) : null),
    /** Runs work of the account at once, and counts its time. */
    run<Result>(owner: number, work: () => Result): Result {
      const startedAt = performance.now()
      try {
        return work()
      } finally {
        countSince(owner, startedAt)
      }
    },
    /**
     * Runs work in steps that wait for nothing else, within the share, and counts its time; of an account, one after another, so
     * that no work begins before that of an earlier one is counted.
     */
    async runInTurn<Result>(owner: number, work: () => Promise<Result>): Promise<Result> {
      const before = turns.get(owner)
      const { promise: end, resolve } = Promise.withResolvers<void>()
      turns.set(owner, end)
      await before
      await wait(owner)
      const startedAt = performance.now()
      try {
        return await work()
      } finally {
        countSince(owner, startedAt)
        if (turns.get(owner) === end) turns.delete(owner)
        resolve()
      }
    },
  }
}
