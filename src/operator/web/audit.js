/** Search of the audit, the newest first, and its export. */
import { csv } from '../../console/web/csv.js'
import { html, useState } from '../../console/web/html.js'
import { whole } from '../../console/web/numbers.js'
import { saveText } from '../../console/web/save.js'
import { inWords, Loaded, Problem, Table, Time } from './parts.js'
import { send, useReply, withQuery } from './service.js'

const PAGE = 50
const MOST_SAVED = 100_000
const KINDS = [
  ['acts', 'Acts of operators'],
  ['calls', 'Calls and events'],
  ['refusals', 'Refused calls, counted'],
  ['failed_attempts', 'Failed log-ins, counted'],
]
const NO_FILTER = { rows: 'acts', account: '', request_id: '', from: '', to: '' }

/** `#/audit?request_id=…`: the rows of a request. */
export default function Audit({ hash }) {
  const asked = new URLSearchParams(hash.split('?')[1]).get('request_id')
  const [filter, setFilter] = useState(
    asked === null ? NO_FILTER : { ...NO_FILTER, rows: 'calls', request_id: asked },
  )
  const submit = (event) => {
    event.preventDefault()
    const given = Object.fromEntries(new FormData(event.currentTarget))
    const time = (text) => (text === '' ? '' : `${text}:00Z`)
    setFilter({
      ...given,
      account: given.account.trim(),
      request_id: given.request_id.trim(),
      from: time(given.from),
      to: time(given.to),
    })
  }
  return html`<div><h1>Audit</h1>
    <form class="filters" aria-label="Filter" onSubmit=${submit}>
      <label>Rows <select name="rows" value=${filter.rows}>${KINDS.map(([value, text]) => html`<option value=${value}>${text}</option>`)}</select></label>
      <label>Account <input type="search" name="account" autocomplete="off" spellcheck=${false} placeholder="E-mail or number" /></label>
      <label>Request ID <input type="search" name="request_id" value=${filter.request_id} autocomplete="off" spellcheck=${false} maxlength="200" /></label>
      <label>From (UTC) <input type="datetime-local" name="from" /></label>
      <label>To (UTC) <input type="datetime-local" name="to" /></label>
      <p class="actions"><button type="submit">Search</button></p>
    </form>
    <${AuditRows} key=${JSON.stringify(filter)} filter=${filter} />
  </div>`
}

/** Pages of rows that agree with a filter. */
export function AuditRows({ filter }) {
  const [places, setPlaces] = useState([null])
  const query = { ...filter, order: 'newest' }
  const isOfCalls = !['acts', 'events'].includes(filter.rows)
  const [reply, again] = useReply(withQuery('v1/audit', { ...query, limit: PAGE, cursor: places.at(-1) }))
  return html`<${Loaded} reply=${reply} onRetry=${again}>${({ items, next_cursor: next }) => html`
    <${Table} label="Audit" columns=${['Time', 'What', 'Who', 'Account', ...(isOfCalls ? ['Status', '(Credits)'] : []), 'Address', 'Facts', 'Request ID']} empty="No row agrees."
      rows=${items.map((row) => [
        html`<${Time} at=${row.at} />`,
        html`<span>${row.kind === 'event' ? row.code?.replaceAll('_', ' ') : (row.path ?? row.code)}</span>`,
        row.detail?.actor ?? '',
        row.account_id === null ? '' : html`<a href=${`#/account/${row.account_id}`}>${row.account_id}</a>`,
        ...(isOfCalls
          ? [row.kind === 'event' ? '' : outcomeOf(row), row.credits === 0 ? '' : whole(row.credits)]
          : []),
        ...[
          row.ip,
          html`<span class="facts">${factsOf(row.detail)}</span>`,
          html`<code>${row.request_id ?? ''}</code>`,
        ],
      ])} />
    <p class="actions">
      <${Turn} text="Newer" isOff=${places.length === 1} onClick=${() => setPlaces(places.slice(0, -1))} />
      <span class="hint">Page ${places.length}</span>
      <${Turn} text="Older" isOff=${next === null} onClick=${() => setPlaces([...places, next])} />
      ${items.length > 0 && html`<${Export} query=${query} />`}
    </p>`}<//>`
}

export const Turn = ({ text, isOff, onClick }) =>
  html`<button type="button" class="small quiet" aria-disabled=${isOff ? 'true' : undefined} onClick=${() => !isOff && onClick()}>${text}</button>`

const outcomeOf = ({ calls, code, kind, status }) => {
  if (kind === 'refusal' || kind === 'failed_attempt')
    return html`<span class="failed">${code} × ${whole(calls)}</span>`
  return status === 200 ? '200' : html`<span class="failed">${status} ${code}</span>`
}

const factsOf = (detail) =>
  Array.isArray(detail)
    ? detail.map(({ calls, path }) => `${path} × ${calls}`).join(', ')
    : Object.entries(detail ?? {})
        .filter(([name]) => name !== 'actor')
        .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${inWords(value)}`)
        .join(', ')

/** All rows of the filter, as CSV, as far as a page can hold them. */
function Export({ query }) {
  const [count, setCount] = useState(null)
  const [isCut, setCut] = useState(false)
  const [problem, setProblem] = useState(null)
  const save = async () => {
    if (count !== null) return
    const items = []
    let cursor = ''
    while (cursor !== null && items.length < MOST_SAVED) {
      setCount(items.length)
      const reply = await send(withQuery('v1/audit', { ...query, limit: 1000, cursor }))
      if (!reply.success) {
        setProblem(reply)
        break
      }
      items.push(...reply.data.items)
      cursor = reply.data.next_cursor
    }
    setCount(null)
    setCut(cursor !== null && items.length >= MOST_SAVED)
    if (items.length === 0) return
    const names = Object.keys(items[0])
    const cell = (value) => (value !== null && typeof value === 'object' ? JSON.stringify(value) : value)
    saveText(
      csv([names, ...items.map((item) => names.map((name) => cell(item[name])))]),
      'audit.csv',
      'text/csv',
    )
  }
  return html`<button type="button" class="small quiet" onClick=${save}>${count === null ? 'Export as CSV' : `${whole(count)} rows …`}</button>
    ${isCut && html`<span class="failed" role="status">Only the newest ${whole(MOST_SAVED)} rows: give a time, or use quantd admin export-audit.</span>`}
    ${problem !== null && html`<${Problem} reply=${problem} />`}`
}
