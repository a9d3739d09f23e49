/** The page of a call: what it was, when, by which key, what it cost, its receipt, its events, and other calls like it. */
import type { CallsShowData } from '../../../clients/typescript/operator-acts.ts'
import { plural, whole } from '../console/numbers.ts'
import { saveText } from '../console/save.ts'
import { AccountLink, Breakable, Facts, factsOf, Loaded, milliseconds, Table, Tiles, Time } from './parts.tsx'
import { useReply, withQuery } from './service.ts'

/** `#/call/REQUEST_ID`. */
export default function Call({ hash }: { readonly hash: string }) {
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
      proven by checkpoint {whole(receipt.checkpoint.number)}{' '}
      <button type="button" class="small quiet" onClick={save}>
        Save
      </button>
    </>
  )
}
