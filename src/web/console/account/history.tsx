/** The history of computations: filtered by the service, in pages. */
// @ts-nocheck: to be converted
import { useEffect, useState } from 'preact/hooks'
import { csv } from '../csv.ts'
import forms from '../forms.js'
import { callsMade } from '../made-calls.ts'
import { plural, whole } from '../numbers.ts'
import { canRegister } from '../offers.ts'
import { Problem } from '../problem.tsx'
import { saveText } from '../save.ts'
import { isGuest, send, useSession } from '../session.ts'
import { dateTime } from '../times.ts'
import { usePlaces } from '../use-places.ts'
import { AccountPage, titleOf } from './account-page.tsx'

const PAGE = 25
/** Rows in a saved file. */
const MOST_SAVED = 10_000
/** A page whose filter matches few calls is gathered from so many requests. */
const MOST_REQUESTS = 8
/** Between the last key and the request. */
const PAUSE_MS = 350

const STATUSES = [
  ['', 'All'],
  ['success', 'Success'],
  ['failure', 'Any failure'],
  ['400', '400 Not JSON'],
  ['413', '413 Too large'],
  ['422', '422 Invalid input'],
  ['500', '500 Internal error'],
  ['503', '503 Overloaded'],
]
const NO_FILTER = { path: '', status: '', day: '', request_id: '' }

export default function History() {
  const { key } = useSession()
  return <AccountPage title="History">{key !== null && (isGuest() ? <ForGuests /> : <Calls />)}</AccountPage>
}

const ForGuests = () => (
  <div class="empty">
    <p>
      A guest key has no history by call; <a href="#/account">the overview</a> counts its calls by day and
      operation.
    </p>
    {canRegister && (
      <p class="actions centred">
        <a class="button" href="#/register">
          Register to keep one
        </a>
      </p>
    )}
  </div>
)

function Calls() {
  const [filter, setFilter] = useState(NO_FILTER)
  const { places, turn, restart } = usePlaces()
  const [state, setState] = useState({ items: [], next: null, isBusy: true, problem: null })
  const [tries, setTries] = useState(0)

  useEffect(() => {
    let isCurrent = true
    setState((before) => ({ ...before, isBusy: true }))
    const timer = setTimeout(
      async () => {
        const got = await gathered(filter, places.at(-1), PAGE)
        if (isCurrent) setState({ ...got, isBusy: false })
      },
      filter.request_id === '' ? 0 : PAUSE_MS,
    )
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [filter, places, tries])

  const { items, next, isBusy, problem } = state
  const choose = (name) => (event) => {
    setFilter({ ...filter, [name]: event.currentTarget.value })
    restart(items)
  }
  const isFiltered = Object.values(filter).some((value) => value !== '')
  if (problem)
    return (
      <>
        <Filters filter={filter} choose={choose} />
        <Problem reply={problem} left={problem.error?.details ?? []} onRetry={() => setTries(tries + 1)} />
      </>
    )
  if (items.length === 0 && !isBusy && !isFiltered)
    return (
      <div class="empty">
        <p>No computations yet: each call appears here with its time, charge and duration.</p>
        <p>
          <a class="button" href="#/pricing/bs/price">
            Compute a first price
          </a>
        </p>
      </div>
    )
  return (
    <>
      <Filters filter={filter} choose={choose} />
      <p class="hint" role="status">
        {isBusy ? 'Loading …' : inWords(items, places.length, next)}
      </p>
      {items.length === 0 ? (
        !isBusy && <p class="empty">No call matches this filter.</p>
      ) : (
        <Table items={items} isBusy={isBusy} />
      )}
      <p class="actions">
        <Turn text="Newer" isOff={places.length === 1} onClick={() => turn(items, places.slice(0, -1))} />
        <span class="hint">Page {places.length}</span>
        <Turn text="Older" isOff={next === null} onClick={() => turn(items, [...places, next])} />
        {items.length > 0 && <Save key={JSON.stringify(filter)} filter={filter} />}
      </p>
    </>
  )
}

const inWords = (items, page, next) =>
  `${plural(items.length, 'call')}${page > 1 ? ' on this page' : ''}${next === null ? '' : '; older ones follow'}`

const Filters = ({ filter, choose }) => (
  <form class="filters" aria-label="Filter" onSubmit={(event) => event.preventDefault()}>
    <label>
      Operation{' '}
      <select onChange={choose('path')} value={filter.path}>
        <option value="">All</option>
        {forms.map(({ path, title }) => (
          <option value={path}>{title}</option>
        ))}
      </select>
    </label>
    <label>
      Status{' '}
      <select onChange={choose('status')} value={filter.status}>
        {STATUSES.map(([value, text]) => (
          <option value={value}>{text}</option>
        ))}
      </select>
    </label>
    <label>
      Day (UTC) <input type="date" onInput={choose('day')} value={filter.day} />
    </label>
    <label>
      Request ID{' '}
      <input
        type="search"
        onInput={choose('request_id')}
        value={filter.request_id}
        autocomplete="off"
        spellcheck={false}
      />
    </label>
  </form>
)

const Turn = ({ text, isOff, onClick }) => (
  <button
    type="button"
    class="small quiet"
    aria-disabled={isOff ? 'true' : undefined}
    onClick={() => !isOff && onClick()}
  >
    {text}
  </button>
)

const HEADINGS = [
  'Time',
  'Operation',
  'Status',
  'Credits',
  'Duration',
  'Address',
  'Request ID',
  'Receipt',
  'Input',
]

function Table({ items, isBusy }) {
  const made = callsMade()
  return (
    <>
      <div class={`scroll ${isBusy ? 'stale' : ''}`} tabindex={0} role="region" aria-label="Calls">
        <table class="shares calls">
          <thead>
            <tr>
              {HEADINGS.map((text) => (
                <th scope="col">{text}</th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map((item) => (
              <tr key={item.at + item.request_id}>
                <th scope="row">{dateTime(item.at)}</th>
                <td>{titleOf(item.path)}</td>
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

const Again = ({ requestId, address }) =>
  address === undefined ? (
    '–'
  ) : (
    <a href={address} aria-label={`Run again ${requestId}`}>
      Run again
    </a>
  )

const statusOf = ({ status }) => (status === 200 ? 'Success' : <span class="failed">Failure {status}</span>)

/** Saves the proof of a call as a file; its check needs the public keys and nothing else. */
function Receipt({ requestId }) {
  const [state, setState] = useState('')
  const save = async () => {
    if (state === 'busy') return
    setState('busy')
    const { data, message, success } = await send(`/user/receipt?request_id=${encodeURIComponent(requestId)}`)
    setState(success ? '' : message)
    if (success) saveText(JSON.stringify(data), `receipt-${requestId}.json`, 'application/json')
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

/** The calls of the filter, as CSV: all, or so many of the newest as is said; none where some could not be read. */
function Save({ filter }) {
  const [count, setCount] = useState(null)
  const [{ problem, saved, next }, setDone] = useState({ problem: null, next: null })
  const save = async () => {
    if (count !== null) return
    setCount(0)
    const { items, ...got } = await gathered(filter, null, MOST_SAVED, setCount)
    setCount(null)
    setDone({ ...got, saved: items.length })
    if (got.problem !== null || items.length === 0) return
    const names = Object.keys(items[0])
    saveText(csv([names, ...items.map((item) => names.map((name) => item[name]))]), 'history.csv', 'text/csv')
  }
  return (
    <>
      <button type="button" class="small quiet" onClick={save}>
        {count === null ? 'CSV' : `${whole(count)} calls …`}
      </button>
      {problem !== null && <Problem reply={problem} onRetry={save} />}
      {problem === null && next !== null && (
        <span class="failed" role="status">
          Only the newest {plural(saved, 'call')} were saved: narrow the filter for the older ones.
        </span>
      )}
    </>
  )
}

/** `{ items, next, problem }`: up to `wanted` calls that match, from as many requests as that takes. */
async function gathered(filter, cursor, wanted, onProgress = () => {}) {
  const items = []
  let next = cursor
  for (let requests = 0; requests < Math.max(MOST_REQUESTS, wanted / 1000); requests++) {
    const query = new URLSearchParams(
      Object.entries({ ...filter, limit: Math.min(1000, wanted - items.length), cursor: next ?? '' })
        .map(([name, value]) => [name, String(value).trim()])
        .filter(([, value]) => value !== ''),
    )
    const reply = await send(`/user/usage?${query}`)
    if (!reply.success) return { items, next, problem: reply }
    items.push(...reply.data.items)
    next = reply.data.next_cursor
    onProgress(items.length)
    if (next === null || items.length >= wanted) break
  }
  return { items, next, problem: null }
}
