/** The statement of an account for a month, as it is shown and printed. */
import type { ReportsStatementData } from '../../../clients/typescript/operator-acts.ts'
import { QuietButton } from '../console/buttons.tsx'
import { plural, whole } from '../console/numbers.ts'
import { AccountLink, Filters, Loaded, SaveTable, Table, Time } from './parts.tsx'
import { useReply, withQuery } from './service.ts'

const REPORT = 'v1/reports/statement'

/** The page of an account's statement for a month. */
export const statementOf = (account: number | string, month: string): string =>
  withQuery('#/statement', { account, month })

export default function StatementPage({ hash }: { readonly hash: string }) {
  const given = new URLSearchParams(hash.split('?')[1] ?? '')
  const account = given.get('account') ?? ''
  const month = given.get('month') ?? new Date().toISOString().slice(0, 7)
  const query = { account, month }
  const [reply, again] = useReply<ReportsStatementData>(withQuery(REPORT, query))
  return (
    <div class="statement">
      <h1>Statement {month}</h1>
      <Filters
        label="Month"
        onSubmit={(text) => {
          location.hash = statementOf(account, text('month'))
        }}
      >
        <MonthField value={month} />
        <p class="actions">
          <button type="submit">Show</button>
          <QuietButton onClick={() => print()}>Print</QuietButton>
          <SaveTable
            label="Save as CSV"
            path={REPORT}
            query={query}
            file={`statement-${account}-${month}.csv`}
            command="quantd admin statement"
          />
        </p>
      </Filters>
      <Loaded reply={reply} onRetry={again}>
        {(data) => <Statement data={data} />}
      </Loaded>
    </div>
  )
}

export const MonthField = ({ value }: { readonly value: string }) => (
  <label>
    Month (UTC){' '}
    <input
      name="month"
      value={value}
      placeholder="2026-01"
      pattern={'[0-9]{4}-[0-9]{2}'}
      autocomplete="off"
    />
  </label>
)

const signed = (credits: number): string => `${credits > 0 ? '+' : '−'}${whole(Math.abs(credits))}`

function Statement({ data }: { readonly data: ReportsStatementData }) {
  const { closing, movements, opening, totals, usage } = data
  const spent = totals.credits - totals.refunded
  const isOver = data.month < new Date().toISOString().slice(0, 7)
  return (
    <>
      <p>
        <AccountLink account={data} />, account {data.account_id}
      </p>
      <Table
        label="Credits"
        columns={['Movement', 'Date', 'Reference', '(Credits)']}
        rows={[
          ['At the start of the month', '', '', whole(opening)],
          ...movements.map(({ at, credits, kind, note, reference }) => [
            kindOf(kind),
            <Time at={at} />,
            reference ?? note?.replaceAll('_', ' ') ?? '',
            signed(credits),
          ]),
          [`Usage, ${plural(totals.calls, 'call')}`, '', '', signed(-spent)],
          [
            <strong>{isOver ? 'At the end of the month' : 'Now'}</strong>,
            '',
            '',
            <strong>{whole(closing)}</strong>,
          ],
        ]}
      />
      <h2>Usage</h2>
      <Table
        label="Usage"
        columns={['Days', 'Key', 'Operation', '(Calls)', '(Credits)', '(Refunded)', '(Price)', '(Amount)']}
        empty="No calls in this month."
        rows={usage.map((row) => [
          <>
            <time>{row.from}</time>
            {row.from !== row.until && (
              <>
                {' '}
                to <time>{row.until}</time>
              </>
            )}
          </>,
          row.key_name ?? 'own key',
          <code>{row.path ?? 'earlier calls'}</code>,
          whole(row.calls),
          whole(row.credits),
          row.refunded === 0 ? '' : whole(row.refunded),
          row.price === null ? 'none' : `${row.price} ${row.currency}`,
          row.amount === null ? '' : `${row.amount} ${row.currency}`,
        ])}
      />
      <p>
        {plural(totals.failed_requests, 'request')} failed and cost nothing.
        {totals.amounts.map(({ amount, currency }) => (
          <>
            {' '}
            <strong>
              Amount: {amount} {currency}.
            </strong>
          </>
        ))}
      </p>
      <p class="hint">
        Days begin at midnight UTC. A price holds from the midnight after it was set; an amount is (credits −
        refunded) · price.
      </p>
    </>
  )
}

const KINDS: Readonly<Record<string, string>> = {
  grant: 'Granted',
  reversal: 'Taken back',
  expired: 'Expired',
  transfer_in: 'From a guest key',
  transfer_out: 'To an account',
}
const kindOf = (kind: string): string => KINDS[kind] ?? kind
