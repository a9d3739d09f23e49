/** The list of accounts: searched, filtered and sorted. A search that finds one account, or a call, goes to its page. */
import { useEffect } from 'preact/hooks'
import type { AccountsData, CallsShowData } from '../../../clients/typescript/operator-acts.ts'
import { DAY_MS, HOUR_MS } from '../../base/time.ts'
import { Status } from '../console/buttons.tsx'
import { capitalised } from '../console/labels.ts'
import { whole } from '../console/numbers.ts'
import { AccountLink, Choice, Filters, lastUse, Paged, SearchField, Table, Time } from './parts.tsx'
import { useReply, withQuery } from './service.ts'

/** The choices of the filters and of the order. */
const CHOICES = {
  type: [
    ['', 'All'],
    ['registered', 'Registered'],
    ...['free', 'basic', 'standard', 'pro', 'guest'].map((name) => [name, capitalised(name)] as const),
  ],
  state: [
    ['', 'All'],
    ['active', 'Active'],
    ['suspended', 'Suspended'],
    ['revoked', 'Without a key'],
  ],
  used: [
    ['', 'At any time'],
    ['1', 'In the last day'],
    ['7', 'In the last 7 days'],
    ['30', 'In the last 30 days'],
    ['-30', 'Not for 30 days'],
    ['-90', 'Not for 90 days'],
  ],
  sort: [
    ['', 'Newest'],
    ['last_used', 'Last used'],
    ['longest_unused', 'Longest unused'],
    ['most_credits', 'Most credits'],
    ['least_credits', 'Least credits'],
    ['oldest', 'Oldest'],
  ],
} as const

/** The days that a choice of the last use means, as parameters of a request; they begin at a full hour. */
function spanOf(days: string) {
  if (days === '') return {}
  const at = new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS - Math.abs(Number(days)) * DAY_MS)
  return { [days.startsWith('-') ? 'unused_since' : 'used_since']: at.toISOString() }
}

const REQUEST_ID = /^[\w.-]{1,200}$/

/** `#/accounts?q=…&type=…`: the entries of the form. */
export default function Accounts({ hash }: { readonly hash: string }) {
  const given = Object.fromEntries(new URLSearchParams(hash.split('?')[1]))
  const { from = '', q = '', sort = '', state = '', to = '', type = '', used = '' } = given
  const filter = {
    q,
    state,
    account_type: type,
    min_credits: from,
    max_credits: to,
    sort: sort || 'newest',
    ...spanOf(used),
  }
  const submit = (text: (name: string) => string) => {
    const names = ['q', 'type', 'state', 'used', 'from', 'to', 'sort']
    location.hash = withQuery('#/accounts', Object.fromEntries(names.map((name) => [name, text(name)])))
  }
  const choice = (name: keyof typeof CHOICES, label: string) => (
    <Choice
      label={label}
      name={name}
      value={given[name] ?? ''}
      choices={CHOICES[name]}
      onChange={({ currentTarget }) => currentTarget.form?.requestSubmit()}
    />
  )
  const credits = (name: 'from' | 'to', label: string) => (
    <label>
      {label} <input type="number" name={name} min={0} value={given[name] ?? ''} />
    </label>
  )
  return (
    <div>
      <h1>Accounts</h1>
      <Filters label="Filter" onSubmit={submit}>
        <SearchField label="Contains" name="q" value={q} maxlength={254} />
        {choice('type', 'Type')}
        {choice('state', 'Key')}
        {choice('used', 'Used')}
        {credits('from', 'Credits from')}
        {credits('to', 'Credits up to')}
        {choice('sort', 'Sort')}
        <p class="actions">
          <button type="submit">Show</button>
        </p>
      </Filters>
      <Paged<AccountsData> path="v1/accounts" query={filter} turns={['Before', 'Next']}>
        {(data) => <Found {...data} q={q} isSearch={Object.values(given).join('') === q} />}
      </Paged>
    </div>
  )
}

interface FoundProps extends AccountsData {
  readonly q: string
  /** Whether the text is the only filter. */
  readonly isSearch: boolean
}

const FOUND_BY = { number: '', key: ' by a key', team_key: ' by a team key' }

function Found({ complete, isSearch, items, next_cursor: next, q }: FoundProps) {
  const [only, ...others] = items
  const mayBeCall = only === undefined && isSearch && REQUEST_ID.test(q)
  const [call] = useReply<CallsShowData>(mayBeCall ? withQuery('v1/calls/show', { request_id: q }) : null)
  useEffect(() => {
    if (call?.success) location.replace(`#/call/${q}`)
    else if (only && others.length === 0 && isSearch && q !== '')
      location.replace(`#/account/${only.account_id}`)
  }, [call, only])
  if (items.length === 0)
    return (
      <div class="empty">
        <p>{q === '' ? 'No account matches.' : `No account matches “${q}”.`}</p>
        {next !== null && <p>Older accounts are on the next page.</p>}
        {q !== '' && (
          <p>
            The words of addresses and names, domains, names of team keys, an account’s number, a key or its
            first characters, and the id of a request are searched for.
          </p>
        )}
      </div>
    )
  return (
    <>
      {!complete && <Status>Only the newest accounts are compared, because there are too many.</Status>}
      <Table
        label="Accounts"
        columns={['Account', 'Name', 'Type', '(Credits)', 'Key', 'Last used', 'Created']}
        rows={items.map((account) => [
          <>
            <AccountLink account={account} />
            {account.found_by && FOUND_BY[account.found_by]}
          </>,
          account.full_name ?? account.username,
          account.account_type,
          whole(account.credits),
          account.api_key_status === 'active' ? (
            'active'
          ) : (
            <span class="failed">{account.api_key_status ?? 'none'}</span>
          ),
          lastUse(account.last_used_at),
          account.created_at && <Time at={account.created_at} />,
        ])}
      />
    </>
  )
}
