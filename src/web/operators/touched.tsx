/** The accounts that a change of costs touches: what their calls of this month cost, and would have cost. */
import type { ReportsCostsData } from '../../../clients/typescript/operator-acts.ts'
import { type CostChange, touchedBy, touchedText } from '../../operators/cost-change.ts'
import { useLoaded } from '../console/loaded.tsx'
import { whole } from '../console/numbers.ts'
import type { Refusal, Reply } from '../console/replies.ts'
import { AccountLink, Problem, Table } from './parts.tsx'
import { send, withQuery } from './service.ts'

type Cost = ReportsCostsData['items'][number]

/** The most accounts that are listed; the sums are of all. */
const MOST = 20

export function Touched({ change }: { readonly change: CostChange }) {
  const month = new Date().toISOString().slice(0, 7)
  const read = useLoaded(() => costsOf(month), [month])
  if (read === null)
    return (
      <p class="hint" role="status">
        Reading the calls of this month …
      </p>
    )
  if (!Array.isArray(read)) return <Problem reply={read as Refusal} />
  const touched = touchedBy(change, read as Cost[])
  return (
    <>
      <p>
        <strong>{touchedText(touched)}</strong>
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
