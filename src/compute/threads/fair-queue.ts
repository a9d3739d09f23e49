/**
 * The order in which accounts get threads: they share them by the processor time that they use, in proportion to their weights
 * (start-time fair queueing; Goyal, Vin & Cheng 1997).
 */
import { LAG_MS } from '../../base/limits/callers.ts'

/** An account's part of the threads. */
export interface Share {
  readonly accountId: number
  readonly weight: number
  /** The threads beyond the usual number that may run when a task of the account begins. */
  readonly furtherThreads: number
}

interface Account<Task> extends Share {
  /** The time that its ended tasks used, divided by its weight. An account that was idle begins level with the others. */
  used: number
  /** The times at which its running tasks began. */
  readonly running: number[]
  readonly waiting: Task[]
}

/** @param threads the tasks that usually run at a time */
export function fairQueue<Task>(threads: number, clock: () => number = () => performance.now()) {
  const accounts = new Map<number, Account<Task>>()
  let size = 0
  let running = 0
  /** The virtual time: what the account of the last task had used when the task began. */
  let level = 0

  const usedBy = ({ running, used, weight }: Account<Task>, now: number): number =>
    running.reduce((sum, startedAt) => sum + (now - startedAt) / weight, used)
  /** Once the queue is idle, the time used before has made nobody wait, and is forgotten. */
  const forgetIfIdle = (): void => {
    if (size + running > 0) return
    accounts.clear()
    level = 0
  }
  /**
   * A running task cannot be interrupted. So that a short task need not wait for long ones of others, an account gets a further
   * thread once each account that holds one is ahead of it by LAG_MS; the operating system then divides the processor.
   */
  const mayBegin = (account: Account<Task>, now: number): boolean => {
    if (running < threads) return true
    if (running >= threads + account.furtherThreads) return false
    const used = usedBy(account, now)
    for (const holder of accounts.values())
      if (holder.running.length > 0 && (usedBy(holder, now) - used) * holder.weight < LAG_MS) return false
    return true
  }

  return {
    /** Tasks that wait. */
    get size(): number {
      return size
    },
    get running(): number {
      return running
    },
    add(share: Share, task: Task): void {
      const account = accounts.get(share.accountId) ?? { ...share, used: level, running: [], waiting: [] }
      accounts.set(share.accountId, account)
      const isIdle = account.waiting.length + account.running.length === 0
      if (isIdle) account.used = Math.max(account.used, level)
      account.waiting.push(task)
      size += 1
    },
    /**
     * Begins the oldest task of the account that used least; undefined: none may begin now. The caller calls `ended` when the
     * task has ended, with the time that it used.
     */
    next(): { readonly task: Task; ended(usedMs: number): void } | undefined {
      const now = clock()
      let least: Account<Task> | undefined
      for (const account of accounts.values())
        if (account.waiting.length > 0 && (least === undefined || usedBy(account, now) < usedBy(least, now)))
          if (mayBegin(account, now)) least = account
      if (least === undefined) return undefined
      const account = least
      const task = account.waiting.shift()!
      level = Math.max(level, usedBy(account, now))
      account.running.push(now)
      size -= 1
      running += 1
      return {
        task,
        ended(usedMs) {
          account.running.splice(account.running.indexOf(now), 1)
          account.used += usedMs / account.weight
          running -= 1
          forgetIfIdle()
        },
      }
    },
    /** Removes a waiting task; returns whether it was waiting. */
    remove(accountId: number, task: Task): boolean {
      const waiting = accounts.get(accountId)?.waiting ?? []
      const index = waiting.indexOf(task)
      if (index === -1) return false
      waiting.splice(index, 1)
      size -= 1
      forgetIfIdle()
      return true
    },
  }
}
