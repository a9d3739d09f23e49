/** The accounts that a change of costs touches: what their calls of this month cost, and would have cost. */
import type { ReportsCostsData } from '../../../clients/typescript/operator-acts.ts'
import { useLoaded } from '../console/loaded.tsx'
import { plural, whole } from '../console/numbers.ts'
import type { Refusal, Reply } from '../console/replies.ts'
import { AccountLink, Problem, Table } from './parts.tsx'
import { send, withQuery } from './service.ts'

type Cost = ReportsCostsData['items'][number]

/** Credits of a started second by operation. */
export type Costs = Readonly<Record<string, number>>

interface TouchedProps {
  readonly before: Costs
  /** The changed ones. */
  readonly after: Costs
}

/** The most accounts that are listed; the sums are of all. */
const MOST = 20

export function Touched({ before, after }: TouchedProps) {
  const month = new Date().toISOString().slice(0, 7)
  const read = useLoaded(() => costsOf(month), [month])
  if (read === null)
    return (
      <p class="hint" role="status">
        Reading the calls of this month …
      </p>
    )
  if (!Array.isArray(read)) return <Problem reply={read as Refusal} />
  const touched = touchedBy(read as Cost[], before, after)
  const sum = (of: 'calls' | 'paid' | 'newly') => touched.reduce((total, one) => total + one[of], 0)
  return (
    <>
      <p>
        <strong>
          {touched.length === 0
            ? 'No account has made such a call this month.'
            : `This touches ${plural(touched.length, 'account')}: ${plural(sum('calls'), 'call')} of this month cost ${plural(sum('paid'), 'credit')}, and would have cost ${whole(sum('newly'))}.`}
        </strong>
      </p>
      {touched.length > 0 && (
        <Table
          label="Accounts that the costs touch"
          columns={['Account', '(Calls this month)', '(Credits)', '(With the new costs)']}
          rows={touched
            .slice(0, MOST)
            .map((one) => [
              <AccountLink account={one} />,
              whole(one.calls),
              whole(one.paid),
              whole(one.newly),
            ])}
        />
      )}
      {touched.length > MOST && <p class="hint">The {MOST} that would pay most are shown.</p>}
    </>
  )
}

/** The costs of all accounts, or the refusal of a page of them. */
async function costsOf(month: string): Promise<readonly Cost[] | Refusal> {
  const items: Cost[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page: Reply<ReportsCostsData> = await send<ReportsCostsData>(
      withQuery('v1/reports/costs', { month, limit: 1000, cursor }),
    )
    if (!page.success) return page
    items.push(...page.data.items)
    cursor = page.data.next_cursor
  }
  return items
}

/** Sums by account, of those that would pay most first. A cost of 0 has left no credits: a second a call is taken then. */
function touchedBy(items: readonly Cost[], before: Costs, after: Costs) {
  const sums = new Map<
    number,
    { account_id: number; email: string | null; calls: number; paid: number; newly: number }
  >()
  for (const { account_id, calls, credits, email, path } of items) {
    const [from, to] = [before[path ?? ''], after[path ?? '']]
    if (from === undefined || to === undefined) continue
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
