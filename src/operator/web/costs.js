/** What the calls of a month cost: of all registered accounts, or of one by operation and by key; saved as a table. */
import { html, useState } from '../../console/web/html.js'
import { capitalised } from '../../console/web/labels.js'
import { whole } from '../../console/web/numbers.js'
import { saveText } from '../../console/web/save.js'
import { Turn } from './audit.js'
import { AccountLink, Loaded, Table, Tiles } from './parts.js'
import { useReply, withQuery } from './service.js'

const PAGE = 200
const REPORT = 'v1/reports/costs'

export default function Costs({ hash }) {
  const given = new URLSearchParams(hash.split('?')[1] ?? '')
  const month = given.get('month') ?? new Date().toISOString().slice(0, 7)
  const account = given.get('account') ?? ''
  const [places, setPlaces] = useState([null])
  const query = { month, account }
  const [reply, again] = useReply(withQuery(REPORT, { ...query, limit: PAGE, cursor: places.at(-1) }))
  const submit = (event) => {
    event.preventDefault()
    const next = Object.fromEntries(new FormData(event.currentTarget))
    location.hash = withQuery('#/costs', { month: next.month.trim(), account: next.account.trim() })
  }
  return html`<div><h1>Costs</h1>
    <form class="filters" aria-label="Filter" onSubmit=${submit}>
      <label>Month (UTC) <input name="month" value=${month} placeholder="2026-01" pattern="[0-9]{4}-[0-9]{2}" autocomplete="off" /></label>
      <label>Account <input type="search" name="account" value=${account} autocomplete="off" spellcheck=${false} placeholder="All, or e-mail or number" /></label>
      <p class="actions"><button type="submit">Show</button> <${Save} query=${query} /></p>
    </form>
    <${Loaded} reply=${reply} onRetry=${again}>${({ items, next_cursor: next, totals }) => html`
      <${Tiles} tiles=${[
        ['Calls', whole(totals.calls)],
        ['Credits charged', whole(totals.credits)],
        ['Given back', whole(totals.refunded)],
      ]} />
      <p class="hint">Failed calls are counted and cost nothing.</p>
      ${
        account === ''
          ? html`<${Sums} label="By account" items=${items} nameOf=${({ account_id: id }) => id} textOf=${(item) => html`<${AccountLink} account=${item} /> <a href=${withQuery('#/costs', { month, account: item.account_id })}>costs</a>`} />
          <p class="actions"><${Turn} text="Before" isOff=${places.length === 1} onClick=${() => setPlaces(places.slice(0, -1))} />
            <span class="hint">Page ${places.length}</span>
            <${Turn} text="Next" isOff=${next === null} onClick=${() => setPlaces([...places, next])} /></p>`
          : html`<${Sums} label="By key" items=${items} nameOf=${({ key_id: id }) => id} textOf=${({ key_id: id, key_name: name }) => (id === null ? "The account's own key" : name)} />
          <${Sums} label="By operation" items=${items} nameOf=${({ path }) => path} textOf=${({ path }) => html`<code>${path ?? 'earlier calls'}</code>`} />`
      }`}<//>
  </div>`
}

/** Sums of the items of each name. */
function Sums({ label, items, nameOf, textOf }) {
  const sums = new Map()
  for (const item of items) {
    const sum = sums.get(nameOf(item)) ?? { item, calls: 0, credits: 0, refunded: 0 }
    for (const name of ['calls', 'credits', 'refunded']) sum[name] += item[name]
    sums.set(nameOf(item), sum)
  }
  return html`<section><h2>${label}</h2><${Table} label=${label} columns=${[capitalised(label.replace('By ', '')), '(Calls)', '(Credits)', '(Given back)']} empty="No calls in this month."
    rows=${[...sums.values()].map(({ calls, credits, item, refunded }) => [textOf(item), whole(calls), whole(credits), whole(refunded)])} /></section>`
}

/** The whole report as CSV, page by page. */
function Save({ query }) {
  const [text, setText] = useState('Save as CSV')
  const save = async () => {
    let table = ''
    for (let cursor = ''; cursor !== null; ) {
      const response = await fetch(
        `/operator/${withQuery(REPORT, { ...query, format: 'csv', limit: 1000, cursor })}`,
      )
      if (!response.ok) return setText('It was not saved; try again')
      const page = await response.text()
      table += table === '' ? page : page.slice(page.indexOf('\n') + 1)
      cursor = response.headers.get('x-next-cursor')
    }
    setText('Save as CSV')
    saveText(table, `costs-${query.month}.csv`, 'text/csv')
  }
  return html`<button type="button" class="quiet" onClick=${save}>${text}</button>`
}
