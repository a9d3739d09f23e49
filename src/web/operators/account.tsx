/** The page of an account: its credits, limits, keys and usage, and the acts on it. */
import type {
  AccountsDetailsData,
  AccountsShowData,
  AccountsUsageData,
  KeysRevokeData,
} from '../../../clients/typescript/operator-acts.ts'
import { capitalised } from '../console/labels.ts'
import { whole } from '../console/numbers.ts'
import { Act, accountActs } from './act.tsx'
import { AuditRows } from './audit.tsx'
import { ago, CallLink, Facts, Loaded, lastUse, nameOf, Paged, Table, Tiles, Time } from './parts.tsx'
import { Requests } from './requests.tsx'
import { useReply, withQuery } from './service.ts'

const PAGES = [
  ['', 'Overview'],
  ['/history', 'History'],
  ['/events', 'Events'],
]

export default function Account({ hash }: { readonly hash: string }) {
  const [, , id = '', page = ''] = hash.replace(/\?.*/, '').split('/')
  const [reply, again] = useReply<AccountsShowData>(withQuery('v1/accounts/show', { account: id }))
  const [details, againDetails] = useReply<AccountsDetailsData>(
    page === '' ? withQuery('v1/accounts/details', { account: id }) : null,
  )
  const changed = () => {
    again()
    againDetails()
  }
  return (
    <>
      {reply?.success === false && <h1>Account {id}</h1>}
      <Loaded reply={reply} onRetry={again}>
        {(account) => (
          <div>
            <h1>
              {nameOf(account)}
              {account.api_key_status === 'suspended' && (
                <>
                  {' '}
                  <span class="failed">suspended</span>
                </>
              )}
            </h1>
            <nav class="pages" aria-label="Account">
              {PAGES.map(([end, text]) => (
                <a
                  href={`#/account/${id}${end}`}
                  aria-current={`/${page}` === end || (page === '' && end === '') ? 'page' : undefined}
                >
                  {text}
                </a>
              ))}
            </nav>
            {page === 'history' ? (
              <History id={id} />
            ) : page === 'events' ? (
              <AuditRows filter={{ rows: 'events', account: id }} />
            ) : (
              <>
                <Summary account={account} onChange={changed} />
                <Loaded reply={details}>
                  {(data) => <Details account={account} data={data} onChange={changed} />}
                </Loaded>
              </>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}

/** Labels of acts, in the order of the page; the buttons of other acts follow and have their titles. */
const ACTS: Readonly<Record<string, string>> = {
  grants: 'Grant credits',
  'accounts/suspend': 'Suspend',
  'accounts/unsuspend': 'Lift the suspension',
  'accounts/set-tier': 'Change the type',
  'accounts/set-limits': 'Change the limits',
  'accounts/reset-mfa': 'Reset the second factor',
  'keys/replace': 'Replace the key',
  'verify-ledger': 'Check the ledger',
  'accounts/delete': 'Delete',
}

interface AccountProps {
  readonly account: AccountsShowData
  onChange(): void
}

/** The tile of a sum, if the account has it. */
const sumOf = (label: string, sum: number | undefined): (readonly [string, string])[] =>
  sum === undefined ? [] : [[label, whole(sum)]]

function Summary({ account, onChange }: AccountProps) {
  const limits = account.limits
  const isOwn = [limits.own_hour, limits.own_day, limits.own_work].some((limit) => limit !== null)
  const own = isOwn ? ' (own)' : ''
  return (
    <>
      <Tiles
        tiles={[
          ['Credits', whole(account.credits)],
          ...sumOf('Granted', account.granted),
          ...sumOf('Spent', account.spent),
          ...sumOf('Owed', account.debt),
        ]}
      />
      <Facts
        facts={[
          ['Number', account.account_id],
          ['Name', account.full_name],
          ['Type', capitalised(account.account_type)],
          [
            'Limits',
            `${whole(limits.hour)} an hour${limits.day === null ? '' : `, ${whole(limits.day)} a day`}, ${whole(limits.work)} processor seconds an hour${own}`,
          ],
          [
            'Key',
            account.api_key_status === null
              ? 'none'
              : `${account.api_key_start === null ? '' : `${account.api_key_start}…, `}${account.api_key_status}, made ${account.api_key_created_at === null ? '–' : ago(account.api_key_created_at)}`,
          ],
          ['Second factor', account.mfa_enabled ? 'on' : 'off'],
          ['Last used', lastUse(account.last_used_at)],
          ['Created', account.created_at && <Time at={account.created_at} />],
          ['Confirmed', account.verified_at && <Time at={account.verified_at} />],
          ['Expires', account.expires_at && <Time at={account.expires_at} />],
          [
            'Taken over by',
            account.linked_to && <a href={`#/account/${account.linked_to}`}>{account.linked_to}</a>,
          ],
        ]}
      />
      <Acts account={account} onChange={onChange} />
    </>
  )
}

/** Fields with which an act concerns a team key; the forms of this list leave them out. */
const OF_TEAM_KEYS = ['id', 'overlap_seconds']

function Acts({ account, onChange }: AccountProps) {
  const isSuspended = account.api_key_status === 'suspended'
  const unfit = [
    isSuspended ? 'accounts/suspend' : 'accounts/unsuspend',
    ...(account.mfa_enabled ? [] : ['accounts/reset-mfa']),
  ]
  const order = Object.keys(ACTS)
  const placeOf = (path: string) => (order.includes(path) ? order.indexOf(path) : order.length)
  const paths = accountActs()
    // An act that needs a team key is a button in the table of team keys.
    .filter(({ fields }) => fields.every(({ name, required }) => !required || !/^(id|key_id)$/.test(name)))
    .map(({ path }) => path.slice('/operator/v1/'.length))
    .filter((path) => !unfit.includes(path))
    .sort((a, b) => placeOf(a) - placeOf(b))
  const done = (path: string) => (path === 'accounts/delete' ? undefined : onChange)
  return (
    <p class="actions acts">
      {paths.map((path) => (
        <Act
          key={path}
          path={path}
          label={ACTS[path]}
          given={{ account: account.account_id }}
          omitted={OF_TEAM_KEYS}
          name={nameOf(account)}
          onDone={done(path)}
          isSmall={false}
        />
      ))}
    </p>
  )
}

const capOf = ({ cap_period, credit_cap }: KeysRevokeData) =>
  credit_cap === null ? '–' : `${whole(credit_cap)} ${cap_period === 'total' ? 'in all' : `a ${cap_period}`}`

interface DetailsProps extends AccountProps {
  readonly data: AccountsDetailsData
}

function Details({ account, data, onChange }: DetailsProps) {
  const { grants, team_keys: keys, usage, windows } = data
  return (
    <>
      <div class="cards">
        <section class="card">
          <h2>Limits and their use now</h2>
          {windows.map(({ limit, name, resets_at, used }) => (
            <p class="window">
              <label>
                {used} of {whole(limit)} {name === 'work' ? 's of processor time this hour' : `this ${name}`}{' '}
                <progress max={limit} value={Math.min(used, limit)} />
              </label>
              <span class="hint">
                {resets_at === null ? (
                  'no window runs'
                ) : (
                  <>
                    until <Time at={resets_at} />
                  </>
                )}
              </span>
            </p>
          ))}
        </section>
        {account.lots && (
          <section class="card">
            <h2>Credits that expire</h2>
            <Table
              label="Credits that expire"
              columns={['Expires', '(Credits left)']}
              rows={account.lots.map(({ credits, expires_at }) => [<Time at={expires_at} />, whole(credits)])}
            />
          </section>
        )}
      </div>
      <Requests account={account.account_id} hours="720" />
      <section>
        <h2>Grants</h2>
        <Table
          label="Grants"
          columns={['Time', '(Credits)', 'What', 'Reference', '']}
          rows={grants.map((grant) => [
            <Time at={grant.at} />,
            whole(grant.credits),
            capitalised((grant.note ?? grant.kind).replaceAll('_', ' ')),
            <>
              {grant.reference ?? '–'}
              {grant.reversed !== null && grant.reversed > 0 && (
                <>
                  {' '}
                  <span class="failed">{whole(grant.reversed)} taken back</span>
                </>
              )}
            </>,
            grant.reference !== null && grant.reversed !== null && grant.reversed < grant.credits && (
              <Act
                path="grants/reverse"
                label="Take back"
                given={{ reference: grant.reference }}
                start={{ credits: String(grant.credits - grant.reversed) }}
                name={grant.reference}
                onDone={onChange}
              />
            ),
          ])}
        />
      </section>
      <section>
        <h2>Team keys</h2>
        <Table
          label="Team keys"
          columns={['Name', 'Key', 'State', '(Spent)', '(Cap)', 'Last used', '']}
          rows={keys.map((key) => [
            key.name,
            <code>
              {key.prefix}…{key.last4}
            </code>,
            key.state,
            whole(key.spent_total),
            capOf(key),
            key.last_used_at === null ? 'never' : ago(key.last_used_at),
            key.state === 'active' && (
              <>
                <Act
                  path="keys/replace"
                  label="Replace"
                  given={{ account: account.account_id, id: key.id }}
                  name={key.name}
                  onDone={onChange}
                />
                <Act
                  path="keys/revoke"
                  label="Revoke"
                  given={{ account: account.account_id, id: key.id }}
                  name={key.name}
                  onDone={onChange}
                />
              </>
            ),
          ])}
        />
      </section>
      <section>
        <h2>By operation</h2>
        <Table
          label="Calls by operation"
          columns={['Path', '(Calls)', '(Credits)']}
          empty="No computations yet."
          rows={usage.by_endpoint
            .toSorted((a, b) => b.calls - a.calls)
            .map(({ calls, credits, path }) => [<code>{path}</code>, whole(calls), whole(credits)])}
        />
      </section>
    </>
  )
}

const History = ({ id }: { readonly id: string }) => (
  <Paged<AccountsUsageData> path="v1/accounts/usage" query={{ account: id }}>
    {({ items }) => (
      <Table
        label="Calls"
        columns={['Time', 'Path', 'Status', '(Credits)', '(Duration)', 'Address', 'Request ID']}
        empty="No computations yet."
        rows={items.map((item) => [
          <Time at={item.at} />,
          <code>{item.path}</code>,
          item.status === 200 ? '200' : <span class="failed">{item.status}</span>,
          whole(item.credits),
          `${whole(item.duration_ms)} ms`,
          item.ip,
          <CallLink id={item.request_id} />,
        ])}
      />
    )}
  </Paged>
)
