/** Calls in flight, which this process has admitted and not settled yet: their credits and their idempotency keys. */
import { changed, NONE_IN_FLIGHT } from '../rules/draft.ts'
import { bindingId, type Call, type CostsInFlight, type Entry, type Verdict } from '../rules/types.ts'

/** Idempotency keys of calls that are being admitted or are in flight. */
export function inFlightKeys() {
  const ends = new Map<string, { readonly id: string; readonly end: PromiseWithResolvers<void> }>()
  const nameOf = ({ accountId, idempotency }: Call): string | null =>
    idempotency === null ? null : bindingId(accountId, idempotency.key)
  return {
    /** Resolves when the call in flight with this call's idempotency key has ended; null: there is none. */
    endOf(call: Call): Promise<void> | null {
      const name = nameOf(call)
      return name === null ? null : (ends.get(name)?.end.promise ?? null)
    },
    begin(call: Call): void {
      const name = nameOf(call)
      if (name !== null) ends.set(name, { id: call.id, end: Promise.withResolvers() })
    },
    /** No effect for a call that has not begun. */
    end(call: Call): void {
      const name = nameOf(call)
      const begun = name === null ? undefined : ends.get(name)
      if (name === null || begun?.id !== call.id) return
      ends.delete(name)
      begun.end.resolve()
    },
  }
}

export function inFlightCredits() {
  const costs = new Map<string, number>()
  const accounts = new Map<number, CostsInFlight>()
  const teamKeys = new Map<number, CostsInFlight>()
  const change = (of: Map<number, CostsInFlight>, id: number, cost: number, calls: 1 | -1): void => {
    const after = changed(of.get(id) ?? NONE_IN_FLIGHT, cost, calls)
    if (after.size === 0) of.delete(id)
    else of.set(id, after)
  }
  const count = (call: Pick<Call, 'accountId' | 'teamKeyId'>, cost: number, calls: 1 | -1): void => {
    change(accounts, call.accountId, cost, calls)
    if (call.teamKeyId !== null) change(teamKeys, call.teamKeyId, cost, calls)
  }
  /** Ends a call, whether or not it could be settled. */
  const ended = (call: Pick<Call, 'accountId' | 'id' | 'teamKeyId'>): void => {
    const cost = costs.get(call.id)
    if (cost === undefined) return
    costs.delete(call.id)
    count(call, cost, -1)
  }
  return {
    /** Adds to each entry the costs in flight of its account and of its team key. */
    counted: (entries: readonly Entry[]): readonly Entry[] =>
      accounts.size === 0
        ? entries
        : entries.map((entry) => {
            const inFlight = accounts.get(entry.call.accountId)
            if (inFlight === undefined) return entry
            const { teamKeyId } = entry.call
            if (teamKeyId === null) return { ...entry, inFlight }
            return { ...entry, inFlight, keyInFlight: teamKeys.get(teamKeyId) ?? NONE_IN_FLIGHT }
          }),
    /** Begins the calls that were admitted and ends those that were settled. @param verdicts one, or an error, for each entry */
    decided(entries: readonly Entry[], verdicts: readonly (Verdict | Error)[]): void {
      entries.forEach(({ call, step }, index) => {
        const verdict = verdicts[index]
        if (step === 'settle') ended(call)
        if (step !== 'admit' || call.cost === 0) return
        if (verdict instanceof Error || !verdict.ok || verdict.replayed) return
        costs.set(call.id, call.cost)
        count(call, call.cost, 1)
      })
    },
    ended,
  }
}
