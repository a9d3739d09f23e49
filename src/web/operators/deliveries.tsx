/** The mails and webhook events that wait, which can be sent again. */
import { useState } from 'preact/hooks'
import type {
  MailsData,
  WebhooksData,
  WebhooksDeliveriesData,
} from '../../../clients/typescript/operator-acts.ts'
import { plural, whole } from '../console/numbers.ts'
import { Act } from './act.tsx'
import { ago, Breakable, Choice, Loaded, Paged, Table, Time } from './parts.tsx'
import { may, useReply, withQuery } from './service.ts'

export default function Deliveries({ hash }: { readonly hash: string }) {
  const given = new URLSearchParams(hash.split('?')[1] ?? '')
  return (
    <div>
      <h1>Deliveries</h1>
      <section aria-label="Mails">
        <h2>Mails that wait</h2>
        <Paged<MailsData> path="v1/mails" turns={['Before', 'Next']}>
          {({ items }, again) => (
            <Table
              label="Waiting mails"
              columns={['To', 'Written', '(Attempts)', 'Next attempt', 'Last error', '']}
              empty="None waits."
              rows={items.map(({ attempts, created_at, id, last_error, next_at, to }) => [
                <Breakable text={to} />,
                ago(created_at),
                whole(attempts),
                <Time at={next_at} />,
                last_error ?? '–',
                <Act path="mails/send" label="Send again" given={{ id }} name={to} onDone={again} />,
              ])}
            />
          )}
        </Paged>
      </section>
      {may('admin') && <Webhooks />}
      {given.has('endpoint') && (
        <Events endpoint={given.get('endpoint') ?? ''} state={given.get('state') ?? ''} />
      )}
    </div>
  )
}

function Webhooks() {
  const [reply, again] = useReply<WebhooksData>('v1/webhooks')
  return (
    <section aria-label="Webhooks">
      <h2>Webhooks</h2>
      <p class="actions">
        <Act path="webhooks/create" label="Create an endpoint" isSmall={false} onDone={again} />
      </p>
      <Loaded reply={reply} onRetry={again}>
        {({ items }) => (
          <Table
            label="Endpoints"
            columns={['Endpoint', 'Events', '(Waiting)', '(Parked)', '']}
            empty="There is no endpoint."
            rows={items.map(({ id, parked, types, url, waiting }) => [
              <a href={addressOf(id, '')}>
                <Breakable text={url} />
              </a>,
              types === null ? 'all' : types.join(', '),
              whole(waiting),
              parked > 0 ? (
                <a class="failed" href={addressOf(id, 'parked')}>
                  {whole(parked)}
                </a>
              ) : (
                '0'
              ),
              <>
                <Act path="webhooks/replay" label="Send again" given={{ id }} name={url} onDone={again} />
                <Act path="webhooks/test" label="Test" given={{ id }} name={url} />
                <Act path="webhooks/delete" label="Delete" given={{ id }} name={url} onDone={again} />
              </>,
            ])}
          />
        )}
      </Loaded>
    </section>
  )
}

/** The page with the events of an endpoint. */
const addressOf = (endpoint: number | string, state: string): string =>
  withQuery('#/deliveries', { endpoint, state })

const STATES = [
  ['', 'All'],
  ['waiting', 'Waiting'],
  ['delivered', 'Delivered'],
  ['parked', 'Given up'],
] as const

interface EventsProps {
  readonly endpoint: string
  /** Empty: all. */
  readonly state: string
}

/** The events that were queued for an endpoint; those that are chosen are sent again. */
function Events({ endpoint, state }: EventsProps) {
  const [chosen, setChosen] = useState<readonly string[]>([])
  const choose = (id: string, isChosen: boolean) =>
    setChosen((before) => (isChosen ? [...before, id] : before.filter((one) => one !== id)))
  const query = { id: endpoint, state: state || undefined, payload: 'true' }
  return (
    <section aria-label="Deliveries of the endpoint">
      <h2>Events for endpoint {endpoint}</h2>
      <p class="filters">
        <Choice
          label="State"
          value={state}
          choices={STATES}
          onChange={({ currentTarget }) => {
            location.hash = addressOf(endpoint, currentTarget.value)
          }}
        />
      </p>
      <Paged<WebhooksDeliveriesData> path="v1/webhooks/deliveries" query={query}>
        {({ items }, again) => (
          <>
            <Table
              label="Events"
              columns={[
                'Choose',
                'Event',
                'Type',
                'Account',
                '(Tries)',
                'Last reply',
                'State',
                'Message',
                '',
              ]}
              empty="No event was queued."
              rows={items.map((one) => [
                <input
                  type="checkbox"
                  aria-label={`Choose ${one.id}`}
                  checked={chosen.includes(one.id)}
                  onChange={({ currentTarget }) => choose(one.id, currentTarget.checked)}
                />,
                <>
                  <Time at={one.at} /> <code>{one.id}</code>
                </>,
                one.type,
                one.account_id === null ? (
                  'service'
                ) : (
                  <a href={`#/account/${one.account_id}`}>{one.account_id}</a>
                ),
                whole(one.tries),
                one.status ?? (one.tries > 0 ? 'none' : ''),
                <State delivery={one} />,
                <details>
                  <summary>Show</summary>
                  <pre>{JSON.stringify(one.payload, null, 2)}</pre>
                </details>,
                <Again endpoint={endpoint} events={[one.id]} onDone={again} />,
              ])}
            />
            {chosen.length > 0 && (
              <p class="actions">
                <Again
                  endpoint={endpoint}
                  events={chosen}
                  onDone={() => {
                    setChosen([])
                    again()
                  }}
                />
              </p>
            )}
          </>
        )}
      </Paged>
    </section>
  )
}

interface AgainProps {
  readonly endpoint: string
  readonly events: readonly string[]
  onDone(): void
}

const Again = ({ endpoint, events, onDone }: AgainProps) => (
  <Act
    path="webhooks/replay"
    label={events.length === 1 ? 'Send again' : `Send the ${events.length} chosen again`}
    given={{ id: Number(endpoint), events }}
    omitted={['from', 'to']}
    name={events.length === 1 ? events[0] : plural(events.length, 'event')}
    onDone={onDone}
  />
)

function State({ delivery: { delivered_at: deliveredAt, next_at: nextAt, state } }: StateProps) {
  if (state === 'parked') return <span class="failed">given up</span>
  const at = deliveredAt ?? nextAt
  return (
    <>
      {state === 'delivered' ? 'delivered' : 'next try'} {at !== null && <Time at={at} />}
    </>
  )
}

interface StateProps {
  readonly delivery: WebhooksDeliveriesData['items'][number]
}
