/** The cost of the calls of a month, by account or, of one account, by key and operation; it can be saved as a table. */

import type { ComponentChildren } from 'preact'
import type { ReportsCostsData } from '../../../clients/typescript/operator-acts.ts'
import { capitalised } from '../console/labels.ts'
import { whole } from '../console/numbers.ts'
import { AccountLink, Filters, Paged, SaveTable, SearchField, Table, Tiles } from './parts.tsx'
import { withQuery } from './service.ts'
import { MonthField, statementOf } from './statement.tsx'

const PAGE = 200
const REPORT = 'v1/reports/costs'

export default function Costs({ hash }: { readonly hash: string }) {
  const given = new URLSearchParams(hash.split('?')[1] ?? '')
  const month = given.get('month') ?? new Date().toISOString().slice(0, 7)
  const account = given.get('account') ?? ''
  const query = { month, account }
  return (
    <div>
      <h1>Costs</h1>
      <Filters
        label="Filter"
        onSubmit={(text) => {
          location.hash = withQuery('#/costs', { month: text('month'), account: text('account') })
        }}
      >
        <MonthField value={month} />
        <SearchField label="Account" name="account" value={account} placeholder="All, or e-mail or number" />
        <p class="actions">
          <button type="submit">Show</button>
          <SaveTable
            label="Save as CSV"
            path={REPORT}
            query={query}
            file={`costs-${month}.csv`}
            command="quantd admin cost-report"
          />
        </p>
      </Filters>
      <Paged<ReportsCostsData> path={REPORT} query={query} limit={PAGE} turns={['Before', 'Next']}>
        {(data) => <Month {...data} account={account} />}
      </Paged>
    </div>
  )
}

type Item = ReportsCostsData['items'][number]

interface MonthProps extends ReportsCostsData {
  /** The account that was asked for; empty: all. */
  readonly account: string
}

/** One page of the costs of a month. */
const Month = ({ account, items, month, next_cursor: next, totals }: MonthProps) => (
  <>
    <Tiles
      tiles={[
        ['Calls', whole(totals.calls)],
        ['Credits charged', whole(totals.credits)],
        ['Refunded', whole(totals.refunded)],
      ]}
    />
    <p class="hint">
      Calls of registered accounts: guests pay nothing and are left out. Failed calls are counted and cost
      nothing.
      {next !== null && ' These are the sums of this page; the file has all accounts.'}
    </p>
    {account === '' ? (
      <Sums
        label="By account"
        items={items}
        nameOf={({ account_id: id }) => id}
        textOf={(item) => (
          <>
            <AccountLink account={item} />{' '}
            <a href={withQuery('#/costs', { month, account: item.account_id })}>costs</a>{' '}
            <a href={statementOf(item.account_id, month)}>statement</a>
          </>
        )}
      />
    ) : (
      <>
        <Sums
          label="By key"
          items={items}
          nameOf={({ key_id: id }) => id}
          textOf={({ key_id: id, key_name: name }) => (id === null ? "The account's own key" : name)}
        />
        <Sums
          label="By operation"
          items={items}
          nameOf={({ path }) => path}
          textOf={({ path }) => <code>{path ?? 'earlier calls'}</code>}
        />
      </>
    )}
  </>
)

interface SumsProps {
  readonly label: string
  readonly items: readonly Item[]
  nameOf(item: Item): number | string | null
  textOf(item: Item): ComponentChildren
}

/** A table with the sums of the items that have the same name. */
function Sums({ label, items, nameOf, textOf }: SumsProps) {
  const sums = new Map<
    number | string | null,
    { item: Item; calls: number; credits: number; refunded: number }
  >()
  for (const item of items) {
    const sum = sums.get(nameOf(item)) ?? { item, calls: 0, credits: 0, refunded: 0 }
    for (const name of ['calls', 'credits', 'refunded'] as const) sum[name] += item[name]
    sums.set(nameOf(item), sum)
  }
  return (
    <section>
      <h2>{label}</h2>
      <Table
        label={label}
        columns={[capitalised(label.replace('By ', '')), '(Calls)', '(Credits)', '(Refunded)']}
        empty="No calls in this month."
        rows={[...sums.values()].map(({ calls, credits, item, refunded }) => [
          textOf(item),
          whole(calls),
          whole(credits),
          whole(refunded),
        ])}
      />
    </section>
  )
}
