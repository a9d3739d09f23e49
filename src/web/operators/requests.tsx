/** The requests of all accounts or of one in a range of time: sums and charts; and the page of one call. */
import { useState } from 'preact/hooks'
import type { ActivityData, CallsShowData } from '../../../clients/typescript/operator-acts.ts'
import { HOUR_MS } from '../../base/time.ts'
import { SmallButton, Status } from '../console/buttons.tsx'
import { plural, whole } from '../console/numbers.ts'
import { Chart } from '../console/pictures/chart.tsx'
import { bars } from '../console/pictures/layers.ts'
import type { Ink } from '../console/pictures/palette.ts'
import { saveText } from '../console/save.ts'
import {
  AccountLink,
  Breakable,
  Choice,
  Facts,
  Filters,
  factsOf,
  Loaded,
  milliseconds,
  Table,
  Tiles,
  Time,
} from './parts.tsx'
import { type Query, useGrowing, useReply, withQuery } from './service.ts'

/** The ranges of the charts, in hours; empty: one of one's own. */
const RANGES = [
  ['1', '1 hour'],
  ['24', '24 hours'],
  ['168', '7 days'],
  ['720', '30 days'],
  ['', 'Own'],
] as const

interface RequestsProps {
  /** The range at first. */
  readonly hours: (typeof RANGES)[number][0]
  /** Absent: all accounts. */
  readonly account?: number
}

export function Requests({ account, hours: atFirst }: RequestsProps) {
  const [hours, setHours] = useState<string>(atFirst)
  const [own, setOwn] = useState<Query | null>(null)
  const query = hours === '' ? own : { hours }
  const submit = (text: (name: string) => string) => {
    const [from = 0, to = 0] = ['from', 'to'].map((name) => Date.parse(text(name)))
    setOwn({ hours: Math.ceil((to - from) / HOUR_MS), to: new Date(to).toISOString() })
  }
  return (
    <section aria-label="Requests">
      <h2>Requests</h2>
      <Filters label="Range" onSubmit={submit}>
        <Choice
          label="Range"
          value={hours}
          choices={RANGES}
          onChange={({ currentTarget }) => setHours(currentTarget.value)}
        />
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
      </Filters>
      {query && <Sums key={withQuery('', query)} query={{ ...query, account }} />}
    </section>
  )
}

function Sums({ query }: { readonly query: Query }) {
  const [reply] = useGrowing<ActivityData>(withQuery('v1/activity', query))
  return (
    <Loaded reply={reply}>{(data) => <Charts data={data} isOfAll={query.account === undefined} />}</Loaded>
  )
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

interface ChartsProps {
  readonly data: ActivityData
  readonly isOfAll: boolean
}

function Charts({ data, isOfAll }: ChartsProps) {
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
        From <Time at={from} /> to <Time at={to} />
        {isOfAll && (
          <>
            , guests included; <a href="#/costs">Costs</a> leaves guests out
          </>
        )}
        . A request has one call, or those of a batch, or one for each row of its columns.
      </p>
      {!complete && <Status>Reading the audit …</Status>}
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

/** `#/call/REQUEST_ID`. */
export function Call({ hash }: { readonly hash: string }) {
  const id = decodeURIComponent(hash.slice('#/call/'.length))
  const [reply, again] = useReply<CallsShowData>(withQuery('v1/calls/show', { request_id: id }))
  return (
    <div>
      <h1>{reply?.success ? <Breakable text={titleOf(reply.data.call)} /> : 'Call'}</h1>
      <Loaded reply={reply} onRetry={again}>
        {(data) => <Shown {...data} />}
      </Loaded>
    </div>
  )
}

type Row = CallsShowData['call']

const titleOf = ({ code, kind, path, status }: Row): string =>
  kind === 'event' ? String(code).replaceAll('_', ' ') : `${path}: ${status === 200 ? 'success' : status}`

const costOf = ({ credits, replayed }: Row): string =>
  replayed ? 'none: a repetition' : plural(credits, 'credit')

function Shown({ account, call, events, idempotency, key, others, refunded, ...proof }: CallsShowData) {
  const keyText = key && `${key.start === null ? `number ${key.id}` : `${key.start}…`}, ${key.status}`
  return (
    <>
      <Tiles
        tiles={[
          [
            'Outcome',
            call.status === 200 ? 'Success' : <Breakable text={`${call.status} ${call.code ?? ''}`} />,
          ],
          ['Cost', costOf(call)],
          ...(refunded > 0 ? [['Given back', plural(refunded, 'credit')] as const] : []),
          ['Duration', milliseconds(call.duration_ms)],
          ...(call.calls > 1 ? [['Calls in it', whole(call.calls)] as const] : []),
        ]}
      />
      <Facts
        facts={[
          ['Time', <Time at={call.at} />],
          ['Request', <code>{`${call.method} ${call.path}`}</code>],
          ['Account', account && <AccountLink account={account} />],
          ['Key', key && (key.name === null ? keyText : `${key.name} (${keyText})`)],
          ['Client address', call.ip],
          ['Request ID', <code>{call.request_id}</code>],
          ['Row of the audit', call.id === call.request_id ? null : <code>{call.id}</code>],
          [
            'Idempotency key',
            idempotency && (
              <>
                <code>{idempotency.key}</code>, repeated {plural(idempotency.replays, 'time')}, kept until{' '}
                <Time at={idempotency.expires_at} />
              </>
            ),
          ],
          ['Receipt', <Receipt call={call} {...proof} />],
          ['Facts', call.detail && factsOf(call.detail).join(', ')],
        ]}
      />
      <section>
        <h2>Events written with it</h2>
        <Table
          label="Events"
          columns={['Type', 'Facts', 'webhook-id']}
          rows={events.map(({ data, id, type }) => [type, factsOf(data).join(', '), <code>{id}</code>])}
        />
      </section>
      <section>
        <h2>Other calls like it</h2>
        <p class="hint">
          Calls with the same request ID, and those of the account with the same request and result within 24
          hours. With its idempotency key a call is repeated without cost.
        </p>
        <Table
          label="Other calls"
          columns={['Time', 'Outcome', 'Cost', 'Request ID']}
          rows={others.map((other) => [
            <a href={`#/call/${other.id}`}>
              <Time at={other.at} />
            </a>,
            other.status === 200 ? 'success' : `${other.status} ${other.code}`,
            costOf(other),
            <code>{other.request_id}</code>,
          ])}
        />
      </section>
    </>
  )
}

type ReceiptProps = Pick<CallsShowData, 'call' | 'receipt' | 'receipt_state'>

function Receipt({ call, receipt, receipt_state: state }: ReceiptProps) {
  if (receipt === null)
    return <>{state === 'waiting' ? 'waits for the next checkpoint' : 'none: the call is not proven'}</>
  const save = () =>
    saveText(JSON.stringify(receipt, null, 2), `receipt-${call.request_id}.json`, 'application/json')
  return (
    <>
      proven by checkpoint {whole(receipt.checkpoint.number)} <SmallButton onClick={save}>Save</SmallButton>
    </>
  )
}
