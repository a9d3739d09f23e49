/** The account page: profile, credits, usage. */
import { h } from './dom.js'
import { labelOf } from './labels.js'
import { problem } from './problem.js'
import { isGuest, key, send } from './session.js'

export function accountPage() {
  const place = h('div', {}, h('p', { class: 'hint' }, 'Loading …'))
  if (key() === null)
    place.replaceChildren(h('p', {}, 'No key is in use. ', h('a', { href: '#/key' }, 'Get or enter a key.')))
  else load(place)
  return [h('h1', {}, 'Account'), place]
}

async function load(place) {
  const [profile, credits, summary, history] = await Promise.all([
    send('/user/profile'),
    send('/user/credits'),
    send('/user/usage/summary'),
    isGuest() ? null : usage(),
  ])
  place.replaceChildren(
    section('Profile', profile, values),
    section('Credits', credits, creditTable),
    section('Usage', summary, summaryTables),
    history ??
      h('p', { class: 'hint' }, 'Registered accounts also see the history of their computations here.'),
  )
}

const section = (title, reply, show) =>
  h(
    'section',
    { class: 'block' },
    h('h2', {}, title),
    reply.success ? show(reply.data) : problem(reply, reply.error?.details),
  )

const values = (data) =>
  h(
    'dl',
    { class: 'values' },
    Object.entries(data).map(([name, value]) =>
      h('div', {}, h('dt', {}, labelOf(name)), h('dd', {}, shown(name, value))),
    ),
  )

const creditTable = ({ grants, ...totals }) => [values(totals), table(grants)]

const summaryTables = ({ by_endpoint, by_day }) =>
  by_endpoint.length === 0 ? h('p', {}, 'No computations yet.') : [table(by_endpoint), table(by_day)]

async function usage() {
  const reply = await send('/user/usage?limit=50')
  const body = h('div', {})
  const element = h('section', { class: 'block' }, h('h2', {}, 'History'), body)
  show(reply)
  return element

  function show(page) {
    if (!page.success) return body.append(problem(page, page.error?.details))
    body.append(
      ...[page.data.items.length === 0 ? h('p', {}, 'No computations yet.') : table(page.data.items)].flat(),
    )
    if (page.data.next_cursor === null) return
    const older = h('button', { type: 'button', class: 'quiet' }, 'Older')
    older.addEventListener('click', async () => {
      older.remove()
      show(await send(`/user/usage?limit=50&cursor=${encodeURIComponent(page.data.next_cursor)}`))
    })
    body.append(older)
  }
}

/** One row per object; the columns are the fields of the first object. */
function table(rows) {
  if (rows.length === 0) return null
  const names = Object.keys(rows[0])
  return h(
    'div',
    { class: 'scroll', tabindex: '0', role: 'group', 'aria-label': 'Table' },
    h(
      'table',
      {},
      h(
        'thead',
        {},
        h(
          'tr',
          {},
          names.map((name) => h('th', { scope: 'col' }, labelOf(name))),
        ),
      ),
      h(
        'tbody',
        {},
        rows.map((row) =>
          h(
            'tr',
            {},
            names.map((name) => h('td', {}, shown(name, row[name]))),
          ),
        ),
      ),
    ),
  )
}

const shown = (name, value) => {
  if (name === 'at' || name.endsWith('_at')) return new Date(value).toLocaleString()
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  return String(value)
}
