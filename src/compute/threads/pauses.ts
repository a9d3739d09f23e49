/** An account whose task cost a thread gets no thread for a time that grows with every such task. */
import { accountPaused } from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { THREAD_PAUSE_MS } from '../../base/limits/callers.ts'

/** If there are more accounts than this, the one whose last pause was added first is forgotten. */
const MAX_ACCOUNTS = 10_000

interface Pause {
  readonly until: number
  /** The number of tasks that cost a thread. */
  readonly count: number
}

/** @param clock milliseconds that never go back */
export function pauses(clock: () => number = () => performance.now()) {
  const byAccount = new Map<number, Pause>()
  return {
    /** The failure of a task that arrives within the pause of its account; null: it may have a thread. */
    refusal(accountId: number): Failure | null {
      const leftMs = (byAccount.get(accountId)?.until ?? 0) - clock()
      return leftMs > 0 ? accountPaused(Math.ceil(leftMs / 1_000)) : null
    },
    /** To be called if a thread was lost to the account's task. @param heldMs the time for which the task had held it */
    add(accountId: number, heldMs: number): void {
      const now = clock()
      const last = byAccount.get(accountId)
      const earlier = last === undefined || now - last.until > THREAD_PAUSE_MS.forgotten ? 0 : last.count
      const pauseMs = Math.min(THREAD_PAUSE_MS.most, Math.max(THREAD_PAUSE_MS.least, heldMs) * 2 ** earlier)
      byAccount.delete(accountId)
      byAccount.set(accountId, { until: Math.max(now + pauseMs, last?.until ?? 0), count: earlier + 1 })
      if (byAccount.size > MAX_ACCOUNTS) byAccount.delete(byAccount.keys().next().value!)
    },
  }
}
