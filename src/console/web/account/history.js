/** The history of computations: filtered by operation, outcome, day and request, in pages. */
import forms from '../forms.js'
import { html, useEffect, useMemo, useState } from '../html.js'
import { plural, whole } from '../numbers.js'
import { Problem } from '../problem.js'
import { saveText } from '../save.js'
import { isGuest, send, useSession } from '../session.js'
import { AccountPage, dateTime } from './account-page.js'

const PAGE = 25
/** Rows are loaded in requests of a thousand, up to this many. */
const MOST_ROWS = 10_000

export default function History() {
  const { key } = useSession()
  return html`<${AccountPage} title="History">${key !== null && (isGuest() ? html`<${ForGuests} />` : html`<${Rows} />`)}<//>`
}

const ForGuests =
  () => html`<div class="empty"><p>A guest key has no history by call; <a href="#/account">the overview</a> counts its calls by day and operation.</p>
  <p class="actions centred"><a class="button" href="#/register">Register to keep one</a></p></div>`

function Rows() {
  const [items, setItems] = useState([])
  const [state, setState] = useState({ cursor: null, isBusy: true, problem: null })
  const [filter, setFilter] = useState({ path: '', outcome: '', day: '', request: '' })
  const [page, setPage] = useState(0)

  async function load(cursor = null, before = []) {
    setState({ cursor, isBusy: true, problem: null })
    const reply = await send(
      `/user/usage?limit=1000${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    if (!reply.success) return setState({ cursor, isBusy: false, problem: reply })
    const all = [...before, ...reply.data.items]
    setItems(all)
    setState({ cursor: reply.data.next_cursor, isBusy: false, problem: null })
  }
  useEffect(() => {
    load()
  }, [])

  const found = useMemo(() => items.filter((item) => matches(item, filter)), [items, filter])
  const shown = found.slice(page * PAGE, (page + 1) * PAGE)
  const choose = (name) => (event) => {
    setFilter({ ...filter, [name]: event.currentTarget.value })
    setPage(0)
  }
  const paths = [...new Set(items.map(({ path }) => path))]
  const last = Math.max(0, Math.ceil(found.length / PAGE) - 1)
  if (state.problem)
    return html`<${Problem} reply=${state.problem} onRetry=${() => load(state.cursor, items)} />`
  if (items.length === 0 && !state.isBusy)
    return html`<div class="empty"><p>No computations yet: each call appears here with its time, charge and duration.</p><p><a class="button" href="#/pricing/bs/price">Compute a first price</a></p></div>`
  return html`<form class="filters" aria-label="Filter" onSubmit=${(event) => event.preventDefault()}>
      <label>Operation <select onChange=${choose('path')} value=${filter.path}><option value="">All</option>${paths.map((path) => html`<option value=${path}>${titleOf(path)}</option>`)}</select></label>
      <label>Outcome <select onChange=${choose('outcome')} value=${filter.outcome}><option value="">All</option><option value="success">Success</option><option value="failure">Failure</option></select></label>
      <label>Day <input type="date" onInput=${choose('day')} value=${filter.day} /></label>
      <label>Request ID <input type="search" onInput=${choose('request')} value=${filter.request} autocomplete="off" spellcheck=${false} /></label>
    </form>
    <p class="hint" role="status">${state.isBusy ? 'Loading …' : `${plural(found.length, 'call')}${found.length < items.length ? ` of ${whole(items.length)}` : ''}${state.cursor === null ? '' : ', newest first'}`}</p>
    ${
      shown.length === 0
        ? !state.isBusy && html`<p class="empty">No call matches this filter.</p>`
        : html`<div class="scroll" tabindex="0" role="region" aria-label="Calls"><table class="shares"><thead><tr>${['Time', 'Operation', 'Status', 'Credits', 'Duration', 'Address', 'Request ID'].map((text) => html`<th scope="col">${text}</th>`)}</tr></thead>
          <tbody>${shown.map(
            (
              item,
            ) => html`<tr key=${item.request_id}><th scope="row">${dateTime(item.at)}</th><td>${titleOf(item.path)}</td><td>${statusOf(item)}</td><td>${whole(item.credits)}</td>
              <td>${whole(item.duration_ms)} ms</td><td>${item.ip}</td><td><code>${item.request_id}</code></td></tr>`,
          )}</tbody></table></div>`
    }
    <p class="actions">
      <button type="button" class="small quiet" aria-disabled=${page === 0 ? 'true' : undefined} onClick=${() => setPage(Math.max(0, page - 1))}>Newer</button>
      <span class="hint">Page ${page + 1} of ${last + 1}</span>
      <button type="button" class="small quiet" aria-disabled=${page === last ? 'true' : undefined} onClick=${() => setPage(Math.min(last, page + 1))}>Older</button>
      ${state.cursor !== null && items.length < MOST_ROWS && html`<button type="button" class="small quiet" onClick=${() => load(state.cursor, items)}>Load older calls</button>`}
      <button type="button" class="small quiet" onClick=${() => saveText(csvOf(found), 'history.csv', 'text/csv')}>CSV</button>
    </p>`
}

const titleOf = (path) => forms.find((form) => form.path === path)?.title ?? path

const isSuccess = ({ status }) => status === 200
const statusOf = (item) =>
  isSuccess(item) ? 'Success' : html`<span class="failed">Failure ${item.status}</span>`

const matches = (item, { path, outcome, day, request }) =>
  (path === '' || item.path === path) &&
  (outcome === '' || isSuccess(item) === (outcome === 'success')) &&
  (day === '' || item.at.startsWith(day)) &&
  (request === '' || item.request_id.includes(request.trim()))

const csvOf = (items) => {
  const names = Object.keys(items[0] ?? { at: '' })
  return [names, ...items.map((item) => names.map((name) => item[name]))]
    .map((row) => row.join(','))
    .join('\n')
}
