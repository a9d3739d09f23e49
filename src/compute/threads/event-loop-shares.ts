/** Bounds the time that the calls of one account take on the event loop in one of its iterations. */
import { setImmediate as nextIteration } from 'node:timers/promises'

/** The processor time that one request has used. */
export interface Spent {
  ms: number
}

export type EventLoopShares = ReturnType<typeof eventLoopShares>

export function eventLoopShares(shareMs: number) {
  const usedMs = new Map<number, number>()
  const clear = (): void => usedMs.clear()
  const isUsedUp = (owner: number): boolean => (usedMs.get(owner) ?? 0) >= shareMs
  const wait = async (owner: number): Promise<void> => {
    while (isUsedUp(owner)) await nextIteration()
  }
  const countSince = (owner: number, startedAt: number, spent?: Spent): void => {
    if (usedMs.size === 0) setImmediate(clear)
    const ms = performance.now() - startedAt
    usedMs.set(owner, (usedMs.get(owner) ?? 0) + ms)
    if (spent !== undefined) spent.ms += ms
  }
  /** By account: the end of its last `runInTurn`. */
  const turns = new Map<number, Promise<void>>()
  return {
    /** Waits until the account has a share left in an iteration; null: it has one now. */
    waitForShare: (owner: number): Promise<void> | null => (isUsedUp(owner) ? wait(owner) : null),
    /** Runs work at once, and counts its time for the account and in `spent`. */
    run<Result>(owner: number, work: () => Result, spent?: Spent): Result {
      const startedAt = performance.now()
      try {
        return work()
      } finally {
        countSince(owner, startedAt, spent)
      }
    },
    /**
     * Runs asynchronous work that waits for no I/O once the account has a share left, and counts its time. The works of one
     * account run one after another, so that each begins with the time of the earlier ones counted.
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
