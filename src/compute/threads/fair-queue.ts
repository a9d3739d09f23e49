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
    return isBehind(account, accounts.values(), now)
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
      const account = leastUsed(accounts.values(), now, mayBegin)
      if (account === undefined) return undefined
      const task = account.waiting.shift()!
      level = Math.max(level, usedBy(account, now))
      account.running.push(now)
      size -= 1
      running += 1
      return {
        task,
        ended(usedMs) {
          removed(account.running, now)
          account.used += usedMs / account.weight
          running -= 1
          forgetIfIdle()
        },
      }
    },
    /** Removes a waiting task; returns whether it was waiting. */
    remove(accountId: number, task: Task): boolean {
      if (!removed(accounts.get(accountId)?.waiting ?? [], task)) return false
      size -= 1
      forgetIfIdle()
      return true
    },
  }
}

/** Removes an item; returns whether the list had it. */
function removed<Item>(list: Item[], item: Item): boolean {
  const index = list.indexOf(item)
  if (index !== -1) list.splice(index, 1)
  return index !== -1
}

function usedBy({ running, used, weight }: Account<unknown>, now: number): number {
  return running.reduce((sum, startedAt) => sum + (now - startedAt) / weight, used)
}

/** Whether each account that holds a thread is ahead of this one by LAG_MS. */
function isBehind(account: Account<unknown>, holders: Iterable<Account<unknown>>, now: number): boolean {
  const used = usedBy(account, now)
  for (const holder of holders)
    if (holder.running.length > 0 && (usedBy(holder, now) - used) * holder.weight < LAG_MS) return false
  return true
}

/** The account with a waiting task that used least, of those that may begin. */
function leastUsed<Task>(
  accounts: Iterable<Account<Task>>,
  now: number,
  mayBegin: (account: Account<Task>, now: number) => boolean,
): Account<Task> | undefined {
  let least: Account<Task> | undefined
  for (const account of accounts)
    if (account.waiting.length > 0 && (least === undefined || usedBy(account, now) < usedBy(least, now)))
      if (mayBegin(account, now)) least = account
  return least
}
