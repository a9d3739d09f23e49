/** The computations of a page of the history, with the receipt of each. */
import { useState } from 'preact/hooks'
import type { UserReceiptData, UserUsageData } from '../../../../clients/typescript/types.ts'
import { whole } from '../numbers.ts'
import { saveText } from '../save.ts'
import { callsMade, send } from '../session.ts'
import { dateTime } from '../times.ts'
import { titleOf } from './account-page.tsx'

export type Call = UserUsageData['items'][number]

const HEADINGS = [
  'Time',
  'Operation',
  'Key',
  'Status',
  'Credits',
  'Duration',
  'Address',
  'Request ID',
  'Receipt',
  'Input',
]

interface CallsTableProps {
  readonly items: readonly Call[]
  /** Whether the calls will be replaced. */
  readonly isBusy: boolean
}

export function CallsTable({ items, isBusy }: CallsTableProps) {
  const made = callsMade()
  const isNamed = items.some(({ key_name }) => key_name !== undefined)
  return (
    <>
      <div class={`scroll ${isBusy ? 'stale' : ''}`} tabindex={0} role="region" aria-label="Calls">
        <table class="shares calls">
          <thead>
            <tr>
              {HEADINGS.filter((text) => isNamed || text !== 'Key').map((text) => (
                <th scope="col">{text}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.at + item.request_id}>
                <th scope="row">{dateTime(item.at)}</th>
                <td>{titleOf(item.path)}</td>
                {isNamed && <td>{item.key_name ?? ''}</td>}
                <td>{statusOf(item)}</td>
                <td>{whole(item.credits)}</td>
                <td>{whole(item.duration_ms)} ms</td>
                <td>{item.ip}</td>
                <td>
                  <code>{item.request_id}</code>
                </td>
                <td>
                  <Receipt requestId={item.request_id} />
                </td>
                <td>
                  <Again requestId={item.request_id} address={made.get(item.request_id)} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="hint">
        “Run again” opens the page with the inputs of a call that was made in this tab, and charges nothing
        before you compute. The service keeps no inputs.
      </p>
    </>
  )
}

interface AgainProps {
  readonly requestId: string
  /** That of the page with the inputs; undefined: the call was not made in this tab. */
  readonly address: string | undefined
}

const Again = ({ requestId, address }: AgainProps) =>
  address === undefined ? (
    '–'
  ) : (
    <a href={address} aria-label={`Run again ${requestId}`}>
      Run again
    </a>
  )

const statusOf = ({ status }: Call) =>
  status === 200 ? 'Success' : <span class="failed">Failure {status}</span>

/** Saves the proof of a call as a file; its check needs the public keys and nothing else. */
function Receipt({ requestId }: { readonly requestId: string }) {
  const [state, setState] = useState('')
  const save = async () => {
    if (state === 'busy') return
    setState('busy')
    const reply = await send<UserReceiptData>(`/user/receipt?request_id=${encodeURIComponent(requestId)}`)
    setState(reply.success ? '' : reply.message)
    if (reply.success) saveText(JSON.stringify(reply.data), `receipt-${requestId}.json`, 'application/json')
  }
  return (
    <>
      <button
        type="button"
        class="small quiet"
        aria-label={`Save the receipt of ${requestId}`}
        onClick={save}
      >
        Save
      </button>
      {state !== '' && (
        <span class="hint" role="status">
          {state === 'busy' ? 'Signing …' : state}
        </span>
      )}
    </>
  )
}
