/** The search of the audit, which shows the newest rows first, and its export. */
import { useState } from 'preact/hooks'
import type { AuditData } from '../../../clients/typescript/operator-acts.ts'
import { whole } from '../console/numbers.ts'
import { CallLink, Choice, Filters, factsOf, Paged, SaveTable, SearchField, Table, Time } from './parts.tsx'
import type { Query } from './service.ts'

const KINDS: readonly (readonly [value: string, text: string])[] = [
  ['acts', 'Acts of operators'],
  ['calls', 'Calls and events'],
  ['refusals', 'Refused calls, counted'],
  ['failed_attempts', 'Failed log-ins, counted'],
]
interface Filter {
  readonly rows: string
  readonly account: string
  readonly request_id?: string
  /** The first and the last time, ISO 8601; empty: any. */
  readonly from?: string
  readonly to?: string
}

const NO_FILTER: Filter = { rows: 'acts', account: '', request_id: '', from: '', to: '' }

type AuditRow = AuditData['items'][number]
type Detail = AuditRow['detail']

export default function Audit() {
  const [filter, setFilter] = useState<Filter>(NO_FILTER)
  const submit = (text: (name: string) => string) => {
    const time = (name: string) => (text(name) === '' ? '' : new Date(text(name)).toISOString())
    setFilter({
      rows: text('rows'),
      account: text('account'),
      request_id: text('request_id'),
      from: time('from'),
      to: time('to'),
    })
  }
  return (
    <div>
      <h1>Audit</h1>
      <Filters label="Filter" onSubmit={submit}>
        <Choice label="Rows" name="rows" value={filter.rows} choices={KINDS} />
        <SearchField label="Account" name="account" placeholder="E-mail or number" />
        <SearchField label="Request ID" name="request_id" value={filter.request_id} maxlength={200} />
        <label>
          From <input type="datetime-local" name="from" />
        </label>
        <label>
          To <input type="datetime-local" name="to" />
        </label>
        <p class="actions">
          <button type="submit">Search</button>{' '}
          <span class="hint">Times are those of this browser; the file has UTC.</span>
        </p>
      </Filters>
      <AuditRows key={JSON.stringify(filter)} filter={filter} />
    </div>
  )
}

/** Pages of the rows that match a filter, the newest first. */
export function AuditRows({ filter }: { readonly filter: Filter }) {
  const query: Query = { ...filter, order: 'newest' }
  const isOfCalls = !['acts', 'events'].includes(filter.rows)
  return (
    <Paged<AuditData> path="v1/audit" query={query}>
      {({ items }) => (
        <>
          <Table
            label="Audit"
            columns={[
              'Time',
              'What',
              'Who',
              'Account',
              ...(isOfCalls ? ['Status', '(Credits)'] : []),
              'Address',
              'Facts',
              'Request ID',
            ]}
            empty="No row matches."
            rows={items.map((row) => [
              <Time at={row.at} />,
              <span>{row.kind === 'event' ? row.code?.replaceAll('_', ' ') : (row.path ?? row.code)}</span>,
              actorOf(row.detail),
              row.account_id === null ? '' : <a href={`#/account/${row.account_id}`}>{row.account_id}</a>,
              ...(isOfCalls
                ? [row.kind === 'event' ? '' : outcomeOf(row), row.credits === 0 ? '' : whole(row.credits)]
                : []),
              row.ip,
              <span class="facts">{textOf(row.detail)}</span>,
              row.kind === 'computation' ? (
                <CallLink id={row.request_id ?? ''} row={row.id} />
              ) : (
                <code>{row.request_id ?? ''}</code>
              ),
            ])}
          />
          {items.length > 0 && (
            <p class="actions">
              <SaveTable
                label="Export as CSV"
                path="v1/audit"
                query={query}
                file="audit.csv"
                command="quantd admin export-audit"
              />
            </p>
          )}
        </>
      )}
    </Paged>
  )
}

const actorOf = (detail: Detail): string => (detail && 'actor' in detail ? String(detail.actor) : '')

const outcomeOf = ({ calls, code, kind, status }: AuditRow) => {
  if (kind === 'refusal' || kind === 'failed_attempt')
    return (
      <span class="failed">
        {code} × {whole(calls)}
      </span>
    )
  return status === 200 ? (
    '200'
  ) : (
    <span class="failed">
      {status} {code}
    </span>
  )
}

/** The text of the detail of a row; that of a batch is the number of its calls by operation. */
const textOf = (detail: Detail): string =>
  Array.isArray(detail)
    ? detail.map(({ calls, path }) => `${path} × ${calls}`).join(', ')
    : factsOf(detail ?? {}, ['actor']).join(', ')
