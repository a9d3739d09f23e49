/** The first page of operators: the health of the service, and its requests in a range of time. */
import type { ComponentChildren } from 'preact'
import type {
  HealthData,
  HealthDataAlerts,
  HealthDataBackup,
} from '../../../clients/typescript/operator-acts.ts'
import { DAY_MS, MINUTE_MS } from '../../base/time.ts'
import { plural, whole } from '../console/numbers.ts'
import type { Reply } from '../console/replies.ts'
import { Act } from './act.tsx'
import { ago, CallLink, Loaded, Table, Time } from './parts.tsx'
import { Requests } from './requests.tsx'
import { may, useRenewed } from './service.ts'

/** Until the health is read again while the service is not ready, which may last only for a moment. */
const NOT_READY_MS = 5_000

export default function Overview() {
  const [health, again] = useRenewed<HealthData>('v1/health', (reply) =>
    reply.success && !reply.data.ready ? NOT_READY_MS : MINUTE_MS,
  )
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
      <Requests hours="24" />
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
      text:
        mails === 0 ? (
          'None waits'
        ) : (
          <a href="#/deliveries">{mails === 1 ? '1 mail waits' : `${whole(mails)} mails wait`}</a>
        ),
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
