/** Accounts whose tasks cost a thread get none for a time that grows with every such task. */
import { accountPaused } from '../errors.ts'
import type { Failure } from '../failure.ts'

export interface Pauses {
  /** The failure of a task that comes within the pause of its account; null: it may have a thread. */
  refusal(accountId: number): Failure | null
  /** A thread had to be ended because of this account's task, which had held it for so long. */
  add(accountId: number, heldMs: number): void
}

/** The first pause is as long as the thread was held, at least this long; each further one is twice as long. */
const SHORTEST_MS = 1_000
const LONGEST_MS = 300_000
/** An account without such a task for this time after its pause begins anew. */
const QUIET_MS = 600_000
/** More accounts than this are forgotten, those without a pause for the longest first. */
const MAX_ACCOUNTS = 10_000

interface Pause {
  readonly until: number
  /** Tasks that cost a thread. */
  readonly count: number
}

/** @param clock milliseconds that never go back */
export function pauses(clock: () => number = () => performance.now()): Pauses {
  const byAccount = new Map<number, Pause>()
  return {
    refusal(accountId) {
      const leftMs = (byAccount.get(accountId)?.until ?? 0) - clock()
      return leftMs > 0 ? accountPaused(Math.ceil(leftMs / 1_000)) : null
    },
    add(accountId, heldMs) {
      const now = clock()
      const last = byAccount.get(accountId)
      const earlier = last === undefined || now - last.until > QUIET_MS ? 0 : last.count
      const pauseMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, heldMs) * 2 ** earlier)
      byAccount.delete(accountId)
      byAccount.set(accountId, { until: Math.max(now + pauseMs, last?.until ?? 0), count: earlier + 1 })
      if (byAccount.size > MAX_ACCOUNTS) byAccount.delete(byAccount.keys().next().value!)
    },
  }
}
