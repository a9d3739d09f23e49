/** A queue that shares the threads among accounts by work: start-time fair queueing (Goyal, Vin & Cheng 1997). */
interface Account<Task> {
  /** Work served, in virtual time: an account that was idle starts at the present value of the others. */
  served: number
  running: number
  readonly waiting: { readonly task: Task; readonly estimate: number }[]
}

export function fairQueue<Task>() {
  const accounts = new Map<number, Account<Task>>()
  let size = 0
  let running = 0
  /** The virtual time: the value of `served` at which the last task was taken. */
  let now = 0

  const accountOf = (owner: number): Account<Task> => {
    const account = accounts.get(owner) ?? { served: now, running: 0, waiting: [] }
    accounts.set(owner, account)
    return account
  }
  /** Once the queue is idle, work served in the past has made nobody wait, and is forgotten. */
  const forgetIfIdle = (): void => {
    if (size + running > 0) return
    accounts.clear()
    now = 0
  }

  return {
    /** Tasks that wait. */
    get size(): number {
      return size
    },
    add(owner: number, task: Task, estimate: number): void {
      const account = accountOf(owner)
      const isIdle = account.waiting.length + account.running === 0
      if (isIdle) account.served = Math.max(account.served, now)
      account.waiting.push({ task, estimate })
      size += 1
    },
    /** The account that all running tasks belong to; null: there are several accounts, or none. */
    get onlyOwner(): number | null {
      const owners = [...accounts].filter(([, account]) => account.running > 0).map(([owner]) => owner)
      return owners.length === 1 ? owners[0] : null
    },
    /**
     * Takes the next task: the oldest of the account that was served least. Its estimate counts as served.
     * @param except an account that is passed over
     */
    next(except?: number): Task | undefined {
      let least: Account<Task> | undefined
      for (const [owner, account] of accounts)
        if (account.waiting.length > 0 && owner !== except)
          if (least === undefined || account.served < least.served) least = account
      if (least === undefined) return undefined
      const { estimate, task } = least.waiting.shift()!
      now = Math.max(now, least.served)
      least.served += estimate
      least.running += 1
      running += 1
      size -= 1
      return task
    },
    /** Removes a waiting task; returns whether it was waiting. */
    remove(owner: number, task: Task): boolean {
      const waiting = accounts.get(owner)?.waiting ?? []
      const index = waiting.findIndex((one) => one.task === task)
      if (index === -1) return false
      waiting.splice(index, 1)
      size -= 1
      forgetIfIdle()
      return true
    },
    /** To be called when a task has ended: the work that it took replaces its estimate. */
    ended(owner: number, estimate: number, taken: number): void {
      const account = accountOf(owner)
      account.served += taken - estimate
      account.running -= 1
      running -= 1
      forgetIfIdle()
    },
  }
}
