/** The account at a glance: credits, usage by day and by operation, and the notices that its owner gets. */
import { useEffect, useState } from 'preact/hooks'
import type {
  UserCreditsData,
  UserNoticesData,
  UserProfileData,
  UserUsageSummaryData,
} from '../../../../clients/typescript/types.ts'
import { DAY_MS } from '../../../base/time.ts'
import { LinkButton } from '../buttons.tsx'
import { capitalised } from '../labels.ts'
import { Facts, Table, Tiles } from '../list-table.tsx'
import { plural, whole } from '../numbers.ts'
import { accountCredits, canRegister } from '../offers.ts'
import { CallsByDay, dayOf, dayText, spanOf } from '../pictures/calls-by-day.tsx'
import { Chart } from '../pictures/chart.tsx'
import { point } from '../pictures/layers.ts'
import { name } from '../session.ts'
import { dateTime } from '../times.ts'
import { AccountForm } from './account-form.tsx'
import { AccountPage, Loaded, Meter, titleOf, useReply } from './account-page.tsx'

export default function Overview() {
  const [profile, again] = useReply<UserProfileData>('/user/profile')
  const [credits, againCredits] = useReply<UserCreditsData>('/user/credits')
  const [summary, againSummary] = useReply<UserUsageSummaryData>('/user/usage/summary')
  useEffect(() => {
    if (profile?.success && 'full_name' in profile.data && profile.data.full_name)
      name(profile.data.full_name)
  }, [profile])
  return (
    <AccountPage title="Account">
      <Loaded reply={profile} onRetry={again}>
        {(data) => (
          <>
            <Profile data={data} />
            <Loaded reply={credits} onRetry={againCredits}>
              {(has) => (
                <Loaded reply={summary} onRetry={againSummary}>
                  {(used) => <Usage credits={has} summary={used} />}
                </Loaded>
              )}
            </Loaded>
            {data.account_type !== 'guest' && <Notices email={data.email} />}
          </>
        )}
      </Loaded>
    </AccountPage>
  )
}

function Profile({ data }: { readonly data: UserProfileData }) {
  const isGuest = data.account_type === 'guest'
  const rows: readonly (readonly [string, string])[] = isGuest
    ? [
        ['Account', 'Guest'],
        ['Key created', dateTime(data.api_key_created_at)],
        ['Key expires', dateTime(data.expires_at)],
      ]
    : [
        ['Name', data.full_name],
        ['E-mail address', data.email],
        ['Tier', capitalised(data.account_type)],
        ['Member since', dateTime(data.created_at)],
        ['Second factor', data.mfa_enabled ? 'On' : 'Off'],
        ['Key', `${capitalised(data.api_key_status)}, created ${dateTime(data.api_key_created_at)}`],
      ]
  return (
    <>
      <Facts facts={rows} />
      {isGuest && canRegister && (
        <div class="callout">
          <p>
            <strong>Keep your credits and your history.</strong> Register to get a permanent key and{' '}
            {accountCredits}.
          </p>
          <p>
            <LinkButton href="#/register">Register</LinkButton>
          </p>
        </div>
      )}
    </>
  )
}

interface UsageProps {
  readonly credits: UserCreditsData
  readonly summary: UserUsageSummaryData
}

function Usage({ credits, summary }: UsageProps) {
  const calls = summary.by_day.reduce((sum, { calls }) => sum + calls, 0)
  const totals: readonly (readonly [string, string])[] = [
    ['Credits left', whole(credits.credits)],
    ['Spent', whole(credits.spent)],
    ['Granted', whole(credits.granted)],
    ['Calls', whole(calls)],
    ...(credits.debt === undefined ? [] : [['Owed', whole(credits.debt)] as const]),
  ]
  return (
    <>
      <Ending credits={credits} days={summary.by_day} />
      <Tiles tiles={totals} />
      {calls === 0 ? (
        <div class="empty">
          <p>No computations yet.</p>
          <p>
            <LinkButton href="#/pricing/bs/price">Compute a first price</LinkButton>
          </p>
        </div>
      ) : (
        <>
          <div class="charts">
            <CallsByDay days={summary.by_day} />
            <Left credits={credits} days={summary.by_day} />
          </div>
          <ByOperation operations={summary.by_endpoint} />
        </>
      )}
      <Windows windows={credits.windows} />
      {credits.lots && <Lots lots={credits.lots} />}
      <Grants grants={credits.grants} />
    </>
  )
}

/** The limits of computations, and what is used of them at the moment. */
const Windows = ({ windows }: Pick<UserCreditsData, 'windows'>) => (
  <section class="chart">
    <h2>Limits and their use</h2>
    {windows.map(({ limit, name, resets_at, used }) => (
      <Meter id={`window-${name}`} used={used} limit={limit}>
        {whole(used)} of{' '}
        {name === 'work'
          ? `${plural(limit, 'second')} of processor time this hour`
          : `${plural(limit, 'computation')} this ${name}`}
        <span class="hint">
          {resets_at === undefined ? ', no window runs' : `, until ${dateTime(resets_at)}`}
        </span>
      </Meter>
    ))}
  </section>
)

/** Days of usage that the pace is measured on, and for which the credits should last. */
const PACE_DAYS = 7

interface PaceProps {
  readonly credits: UserCreditsData
  readonly days: UserUsageSummaryData['by_day']
}

/** Told while there is time to act: at the pace of the last week, the credits end within another. */
function Ending({ credits: { credits, debt = 0 }, days }: PaceProps) {
  const since = Date.now() - PACE_DAYS * DAY_MS
  const spent = days.filter(({ day }) => Date.parse(day) >= since).reduce((sum, one) => sum + one.credits, 0)
  const left = (PACE_DAYS * credits) / spent
  const owed = debt > 0 ? ` The next ones pay the ${plural(debt, 'credit')} owed first.` : ''
  if (credits === 0)
    return (
      <div class="callout" role="status">
        <p>
          <strong>No credits are left.</strong> Calls are refused until there are new ones.{owed}
        </p>
      </div>
    )
  if (spent === 0 || left >= PACE_DAYS) return null
  const words = left < 1 ? 'less than a day' : `about ${plural(Math.round(left), 'day')}`
  return (
    <div class="callout" role="status">
      <p>
        <strong>The credits run low.</strong> At the pace of the last {PACE_DAYS} days they last {words}.
        {owed}
      </p>
    </div>
  )
}

/** Credits at the end of each day: what was granted less what was spent since. */
function Left({ credits, days }: PaceProps) {
  const [first, last] = spanOf(days)
  const places = Array.from({ length: last - first + 1 }, (_, i) => first + i)
  const opened = Math.min(...credits.grants.map(({ at }) => dayOf(at)))
  const balance = places.map((day) =>
    day < opened
      ? null
      : credits.credits +
        days.filter((one) => dayOf(one.day) > day).reduce((sum, one) => sum + one.credits, 0) -
        credits.grants
          .filter((grant) => dayOf(grant.at) > day)
          .reduce((sum, grant) => sum + grant.credits, 0),
  )
  return (
    <Chart
      title="Credits left"
      summary={`${plural(credits.credits, 'credit')} left.`}
      x={places}
      xLabel="Day"
      yLabel="Credits"
      xText={dayText}
      range={{ x: [first - 0.5, last + 0.5], y: [0, Math.max(...balance.map(Number), 1) * 1.25] }}
      lines={[{ label: 'Credits left', y: balance, color: 'third', points: true }]}
      layers={[point(last, balance.at(-1) ?? 0, { label: whole(credits.credits), color: 'third' })]}
    />
  )
}

function ByOperation({ operations }: { readonly operations: UserUsageSummaryData['by_endpoint'] }) {
  const most = Math.max(...operations.map(({ calls }) => calls))
  const byCalls = operations.toSorted((a, b) => b.calls - a.calls)
  return (
    <section class="chart">
      <h2>By operation</h2>
      <Table
        label="Calls by operation"
        columns={['Operation', 'Share', '(Calls)', '(Credits)']}
        rows={byCalls.map(({ path, calls, credits }) => [
          <>
            {titleOf(path)} <code class="wire">{path}</code>
          </>,
          <div class="share" style={{ width: `${(100 * calls) / most}%` }} />,
          whole(calls),
          whole(credits),
        ])}
      />
    </section>
  )
}

const Lots = ({ lots }: Required<Pick<UserCreditsData, 'lots'>>) => (
  <section class="chart">
    <h2>Credits that expire</h2>
    <p>They are spent first, the soonest to expire before the others.</p>
    <Table
      label="Credits that expire"
      columns={['Expires', 'Credits left']}
      rows={lots.map(({ credits, expires_at }) => [dateTime(expires_at), whole(credits)])}
    />
  </section>
)

const Grants = ({ grants }: Pick<UserCreditsData, 'grants'>) =>
  grants.length > 0 && (
    <section class="chart">
      <h2>Credits received</h2>
      <Table
        label="Credits received"
        columns={['Time', 'Credits', 'Reason']}
        rows={grants.map(({ at, credits, reason }) => [
          dateTime(at),
          whole(credits),
          capitalised(reason.replaceAll('_', ' ')),
        ])}
      />
    </section>
  )

const PATH = '/user/notices'

const FIELD = {
  name: 'credits',
  kind: 'text',
  required: false,
  label: 'Balances',
  description: 'separated by spaces, such as 1000 100 0; empty: no mails',
} as const

/** The numbers as they were typed; a text that is none is sent, so that the service says which. */
const thresholds = (text = '') =>
  text
    .split(/[\s;]+/)
    .filter((part) => part !== '')
    .map((part) => (/^\d+$/.test(part) ? Number(part) : part))

function Notices({ email }: { readonly email: string }) {
  const [reply, again] = useReply<UserNoticesData>(PATH)
  const [set, setSet] = useState<readonly number[] | null>(null)
  return (
    <section class="chart">
      <h2>Notices</h2>
      <Loaded reply={reply} onRetry={again}>
        {({ credits }) => (
          <>
            <p role="status">{sentence(set ?? credits, email)}</p>
            <AccountForm<UserNoticesData>
              path={PATH}
              action="Set the notices"
              quiet
              fields={[FIELD]}
              start={{ credits: credits.join(' ') }}
              added={(sent) => ({ credits: thresholds(sent.credits) })}
              onDone={({ data }) => setSet(data.credits)}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}

const sentence = (credits: readonly number[], email: string): string =>
  credits.length === 0
    ? 'No mail is sent when the credits fall.'
    : `A mail goes to ${email} when the credits fall to ${new Intl.ListFormat('en', { type: 'disjunction' }).format(credits.map(whole))}.`
