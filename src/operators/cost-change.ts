/** Whom a change of costs touches: what the calls of a month cost, and would have cost. For the command, and for the page. */
import { counted, grouped } from '../base/text.ts'
import type { CostRow } from './costs.ts'

/** The sums of an account. */
interface TouchedAccount extends Pick<CostRow, 'account_id' | 'email' | 'calls'> {
  readonly paid: number
  readonly newly: number
}

/** Credits of a started second, by the operations whose costs change. */
export type CostChange = Readonly<Record<string, { readonly from: number; readonly to: number }>>

/** Sums by account, of those that would pay most first. A cost of 0 has left no credits: a second a call is taken then. */
export function touchedBy(change: CostChange, items: readonly CostRow[]): TouchedAccount[] {
  const sums = new Map<number, TouchedAccount>()
  for (const { account_id, calls, credits, email, path } of items) {
    const cost = change[path ?? '']
    if (cost === undefined) continue
    const { from, to } = cost
    const sum = sums.get(account_id) ?? { account_id, email, calls: 0, paid: 0, newly: 0 }
    const newly = from === 0 ? calls * to : Math.round((credits * to) / from)
    sums.set(account_id, {
      ...sum,
      calls: sum.calls + calls,
      paid: sum.paid + credits,
      newly: sum.newly + newly,
    })
  }
  return [...sums.values()].sort((a, b) => b.newly - a.newly)
}

export function touchedText(touched: readonly TouchedAccount[]): string {
  const sum = (of: 'calls' | 'paid' | 'newly') => touched.reduce((total, one) => total + one[of], 0)
  return touched.length === 0
    ? 'No account has made such a call this month.'
    : `This touches ${counted(touched.length, 'account')}: ${counted(sum('calls'), 'call')} of this month cost ${counted(sum('paid'), 'credit')}, and would have cost ${grouped(sum('newly'))}.`
}
