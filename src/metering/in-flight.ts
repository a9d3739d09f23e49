/** The credits of calls in flight: admitted by this process and not settled yet. */
import type { Call, Entry, Verdict } from '../ledger/types.ts'

export interface InFlight {
  /** The entries, each with the credits in flight of its account. */
  counted(entries: readonly Entry[]): readonly Entry[]
  /** Takes note of verdicts; in place of an entry's verdict there may be the error with which it failed. */
  decided(entries: readonly Entry[], verdicts: readonly (Verdict | Error)[]): void
  /** A call that could not be settled is not in flight either. */
  ended(call: Pick<Call, 'accountId' | 'id'>): void
}

export function inFlightCredits(): InFlight {
  const costs = new Map<string, number>()
  const credits = new Map<number, number>()
  const add = (accountId: number, cost: number): void => {
    const sum = (credits.get(accountId) ?? 0) + cost
    if (sum === 0) credits.delete(accountId)
    else credits.set(accountId, sum)
  }
  const ended = ({ accountId, id }: Pick<Call, 'accountId' | 'id'>): void => {
    add(accountId, -(costs.get(id) ?? 0))
    costs.delete(id)
  }
  return {
    counted: (entries) =>
      credits.size === 0
        ? entries
        : entries.map((entry) => {
            const inFlight = credits.get(entry.call.accountId)
            return inFlight === undefined ? entry : { ...entry, inFlight }
          }),
    decided(entries, verdicts) {
      entries.forEach(({ call, step }, index) => {
        const verdict = verdicts[index]!
        if (step === 'settle') ended(call)
        if (step !== 'admit' || verdict instanceof Error || !verdict.ok || verdict.replayed) return
        costs.set(call.id, call.cost)
        add(call.accountId, call.cost)
      })
    },
    ended,
  }
}
