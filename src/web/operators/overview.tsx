/** The first page of operators: the health of the service, and its requests in a range of time. */

import type { ComponentChildren, TargetedSubmitEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type {
  ActivityData,
  HealthData,
  HealthDataAlerts,
  HealthDataBackup,
} from '../../../clients/typescript/operator-acts.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../base/time.ts'
import { plural, whole } from '../console/numbers.ts'
import { Chart } from '../console/pictures/chart.tsx'
import { bars } from '../console/pictures/layers.ts'
import type { Ink } from '../console/pictures/palette.ts'
import type { Reply } from '../console/replies.ts'
import { Act } from './act.tsx'
import { ago, CallLink, Loaded, milliseconds, Table, Tiles, Time } from './parts.tsx'
import { may, type Query, useGrowing, useReply, withQuery } from './service.ts'

/** Until the health is read again while the service is not ready, which may last only for a moment. */
const NOT_READY_MS = 5_000

export default function Overview() {
  const [health, again] = useReply<HealthData>('v1/health')
  useEffect(() => {
    if (health === null) return
    const timer = setTimeout(again, health.success && !health.data.ready ? NOT_READY_MS : MINUTE_MS)
    return () => clearTimeout(timer)
  }, [health])
  return (
    <div>
      <h1>{title(health)}</h1>
      <Loaded reply={health} onRetry={again}>
        {(data) => <Health data={data} onChange={again} />}
      </Loaded>
      <p class="actions">
        <Act path="accounts/create" label="Create an account" isSmall={false} />{' '}
        <Act path="rotate-master-key" label="Rotate the master key" isSmall={false} />{' '}
        {health?.success && health.data.master_keys === 1 && may('admin') && (
          <span class="hint">
            Only one master key exists: to rotate, configure a new one before it first.
          </span>
        )}
      </p>
      <Range />
    </div>
  )
}

const title = (health: Reply<HealthData> | null) => {
  if (health === null) return 'Is it healthy?'
  if (!health.success) return 'The state is not known'
  const open = checksOf(health.data).filter(({ state }) => state !== 'good').length
  return open === 0 ? 'Healthy' : `${plural(open, 'thing')} to look at`
}

const isOld = (at: string, days: number) => Date.now() - Date.parse(at) > days * DAY_MS

/** Acts on the page, with their labels. */
const CHECK = { path: 'verify-ledger', label: 'Check now' }
const TEST = { path: 'alerts/test', label: 'Send a test' }

interface Check {
  readonly name: string
  readonly state: 'good' | 'unsure' | 'bad'
  readonly text: ComponentChildren
  /** The tooltip: a time. */
  readonly at?: string | undefined
  readonly act?: typeof CHECK
  /** The kind of the copy that can be noted. */
  readonly note?: string
}

/** Checks of what only the database knows, besides how it replicates. */
const IN_DATABASE = ['Ledger', 'Backup', 'Master key copy', 'Mails']

/** The checks of the health. */
const checksOf = (data: HealthData): Check[] =>
  checksBy(data).map((check) =>
    data.ready || !IN_DATABASE.includes(check.name)
      ? check
      : { ...check, state: 'unsure', text: 'Not known', at: undefined },
  )

function checksBy(data: HealthData): Check[] {
  const { backup, database, errors, ledger_check: check, master_key_copy: copy, mails_waiting: mails } = data
  const recent = errors.filter(({ at }) => !isOld(at, 1))
  return [
    {
      name: 'Service',
      state: data.ready ? 'good' : 'bad',
      text: data.ready ? `Ready, version ${data.version}` : data.problem,
    },
    {
      name: 'Database',
      state: data.ready ? 'good' : 'bad',
      text: `${database.kind === 'sqlite' ? 'SQLite' : 'PostgreSQL'}, answers in ${database.round_trip_ms} ms`,
    },
    replicationOf(database),
    {
      name: 'Errors',
      state: recent.length === 0 ? 'good' : 'bad',
      text:
        recent.length === 0
          ? `None on this node in the last day; it was started ${ago(data.started_at)}`
          : `${recent.length} on this node in the last day`,
    },
    check === null
      ? { name: 'Ledger', state: 'unsure', text: 'Never checked', act: CHECK }
      : {
          name: 'Ledger',
          act: CHECK,
          at: check.at,
          state: check.differing > 0 ? 'bad' : isOld(check.at, 2) ? 'unsure' : 'good',
          text: `${check.differing > 0 ? `${plural(check.differing, 'difference')}, checked` : 'Agrees; checked'} ${ago(check.at)}`,
        },
    ...(data.alerts === null ? [] : [alertsOf(data.alerts)]),
    copyOf('Backup', backup, 2, 'backup'),
    copy !== null && !copy.is_present_key
      ? {
          ...copyOf('Master key copy', copy, 0, 'master-key-copy'),
          state: 'bad',
          text: `Of an earlier key, ${ago(copy.at)}`,
        }
      : copyOf('Master key copy', copy, 0, 'master-key-copy'),
    {
      name: 'Mails',
      state: data.oldest_mail_seconds > 900 ? 'bad' : 'good',
      text: mails === 0 ? 'None waits' : <a href="#/deliveries">{plural(mails, 'mail')} wait</a>,
    },
  ]
}

const alertsOf = (alerts: readonly HealthDataAlerts[]): Check => ({
  name: 'Alerts',
  act: TEST,
  state: alerts.length === 0 ? 'good' : 'bad',
  text:
    alerts.length === 0
      ? 'None'
      : alerts.map(({ alert, since, summary }) => (
          <span title={alert}>
            {summary} Sent {ago(since)}.{' '}
          </span>
        )),
})

const REPLICATIONS = {
  none: 'No standby',
  synchronous: 'Synchronous: a failover loses nothing',
  asynchronous: 'Asynchronous: a failover can lose answered calls',
}

const replicationOf = ({ replication }: HealthData['database']): Check => ({
  name: 'Replication',
  state: replication === 'asynchronous' || replication === null ? 'unsure' : 'good',
  text: replication === null ? 'Not known' : REPLICATIONS[replication],
})

/** The check of a copy. `days`: the age at which its state becomes unsure; 0: never. */
const copyOf = (name: string, note: HealthDataBackup | null, days: number, what: string): Check =>
  note === null
    ? { name, state: 'unsure', text: 'None is known', note: what }
    : {
        name,
        state: days > 0 && isOld(note.at, days) ? 'unsure' : 'good',
        text: `${ago(note.at)}, by ${note.by}`,
        note: what,
        at: note.at,
      }

const MARKS = { good: ['✓', 'Good'], unsure: ['!', 'Look at this'], bad: ['✕', 'Bad'] }

interface HealthProps {
  readonly data: HealthData
  onChange(): void
}

function Health({ data, onChange }: HealthProps) {
  return (
    <section aria-label="Is it healthy?">
      <ul class="checks">
        {checksOf(data).map(({ act, at, name, note, state, text }) => (
          <li class={state}>
            <span class="mark" role="img" aria-label={MARKS[state][1]}>
              {MARKS[state][0]}
            </span>
            <span>
              <strong>{name}</strong>
              <span title={at}>{text}</span>
            </span>
            {act && <Act {...act} onDone={onChange} />}
            {note && <Act path="notes" label="Note a copy" given={{ what: note }} onDone={onChange} />}
          </li>
        ))}
      </ul>
      {data.errors.length > 0 && (
        <>
          <h2>Last errors of this node</h2>
          <Table
            label="Last errors"
            columns={['Last', 'Endpoint', 'Code', '(Times)', 'Request ID']}
            rows={data.errors.map(({ at, code, method, path, request_id, times }) => [
              <Time at={at} />,
              `${method} ${path}`,
              code,
              whole(times),
              <CallLink id={request_id} />,
            ])}
          />
        </>
      )}
    </section>
  )
}

/** The ranges of the charts, in hours; empty: one of one's own. */
const RANGES = [
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
  ['720', '30 days'],
  ['', 'Own'],
] as const

function Range() {
  const [hours, setHours] = useState('24')
  const [own, setOwn] = useState<Query | null>(null)
  const query = hours === '' ? own : { hours }
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    const given = new FormData(event.currentTarget)
    const [from = 0, to = 0] = ['from', 'to'].map((name) => Date.parse(String(given.get(name))))
    setOwn({ hours: Math.ceil((to - from) / HOUR_MS), to: new Date(to).toISOString() })
  }
  return (
    <section aria-label="Requests">
      <h2>Requests</h2>
      <form class="filters" aria-label="Range" onSubmit={submit}>
        <label>
          Range{' '}
          <select value={hours} onChange={({ currentTarget }) => setHours(currentTarget.value)}>
            {RANGES.map(([value, text]) => (
              <option value={value}>{text}</option>
            ))}
          </select>
        </label>
        {hours === '' && (
          <>
            <label>
              From <input type="datetime-local" name="from" required />
            </label>
            <label>
              To <input type="datetime-local" name="to" required />
            </label>
            <p class="actions">
              <button type="submit">Show</button>
            </p>
          </>
        )}
      </form>
      {query && <Requests key={withQuery('', query)} query={query} />}
    </section>
  )
}

function Requests({ query }: { readonly query: Query }) {
  const [reply] = useGrowing<ActivityData>(withQuery('v1/activity', query))
  return <Loaded reply={reply}>{(data) => <Sums data={data} />}</Loaded>
}

const PIECES: Readonly<Record<number, string>> = {
  1: 'in a minute',
  10: 'in ten minutes',
  60: 'in an hour',
  360: 'in six hours',
  1440: 'in a day',
}

type Piece = ActivityData['pieces'][number]
type Count = 'requests' | 'failures' | 'credits'

interface Counted {
  readonly title: string
  readonly unit: string
  readonly color: Ink
}

function Sums({ data }: { readonly data: ActivityData }) {
  const { complete, failures, from, piece_minutes: minutes, pieces, to, total } = data
  const x = pieces.map((piece) => Date.parse(piece.from) / HOUR_MS)
  const edges = [...x, Date.parse(to) / HOUR_MS]
  const span = [edges[0] ?? 0, edges.at(-1) ?? 0] as const
  const of = <Name extends keyof Piece>(name: Name) => pieces.map((piece) => piece[name])
  const axis = { xLabel: 'Time', xText: minutes < 60 ? clock : day, height: 200 }
  const share = total.requests === 0 ? '' : `, ${((100 * total.failures) / total.requests).toFixed(1)}\u00a0%`
  const counted = (name: Count, { title, unit, color }: Counted) => (
    <Chart
      {...axis}
      title={`${title} ${PIECES[minutes]}`}
      counts="y"
      yLabel={title}
      summary={`${whole(total[name])} ${unit} in all.`}
      range={{ x: span, y: [0, Math.max(1, ...of(name)) * 1.1] }}
      layers={[bars(edges, of(name), { color })]}
      numbers={() => numbers(pieces, name)}
    />
  )
  return (
    <>
      <Tiles
        tiles={[
          ['Requests', whole(total.requests)],
          [`Failed requests${share}`, whole(total.failures)],
          ['Median duration', milliseconds(total.p50_ms)],
          ['p99 duration', milliseconds(total.p99_ms)],
          ['Calls in the requests', whole(total.calls)],
          ['Credits', whole(total.credits)],
        ]}
      />
      <p class="hint">
        From <Time at={from} /> to <Time at={to} />, guests included; <a href="#/costs">Costs</a> leaves
        guests out. A request has one call, or those of a batch, or one for each row of its columns.
      </p>
      {!complete && (
        <p class="hint" role="status">
          Reading the audit …
        </p>
      )}
      <div class="charts">
        {counted('requests', { title: 'Requests', unit: 'requests', color: 'first' })}
        {counted('failures', { title: 'Failed requests', unit: 'failed requests', color: 'second' })}
        <Chart
          {...axis}
          title={`Duration of the requests ${PIECES[minutes]}`}
          yLabel="Milliseconds"
          summary={`Median duration ${milliseconds(total.p50_ms)}, p99 ${milliseconds(total.p99_ms)}.`}
          x={x}
          range={{ x: span, y: [0, Math.max(1, ...of('p99_ms').map(Number)) * 1.1] }}
          lines={[
            { label: 'p99', y: of('p99_ms'), color: 'second', points: true },
            { label: 'Median', y: of('p50_ms'), color: 'first', points: true },
          ]}
        />
        {counted('credits', { title: 'Credits', unit: 'credits', color: 'third' })}
      </div>
      <h2>Failures and refusals</h2>
      <p class="hint">Besides the failed requests, refused requests and failed log-ins are counted here.</p>
      <Table
        label="Failures by code"
        columns={['Code', '(Times)']}
        rows={failures.map(({ code, times }) => [<code>{code}</code>, whole(times)])}
        empty="None in this range."
      />
    </>
  )
}

const textOf = (hours: number, options: Intl.DateTimeFormatOptions) =>
  new Date(hours * HOUR_MS).toLocaleString('en-GB', options)
const clock = (hours: number) => textOf(hours, { hour: '2-digit', minute: '2-digit' })
const day = (hours: number) => textOf(hours, { day: 'numeric', month: 'short', hour: '2-digit' })

const numbers = (pieces: readonly Piece[], name: keyof Piece) => [
  ['from', name],
  ...pieces.map((piece) => [piece.from, piece[name]]),
]
