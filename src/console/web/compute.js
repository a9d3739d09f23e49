/** The page of one computation: its form, the result, and the same call with curl. */
import { copyButton } from './copy.js'
import { h } from './dom.js'
import { form } from './form.js'
import { guestButton } from './guest.js'
import { problem } from './problem.js'
import { result } from './result.js'
import { isGuest, key, onChange, standing } from './session.js'

export function computePage(described) {
  const answer = h(
    'div',
    { class: 'answer', 'aria-live': 'polite' },
    h('p', { class: 'hint' }, 'The result appears here.'),
  )
  const command = curlSample(described.path)
  const made = form({
    path: described.path,
    fields: described.fields,
    action: 'Compute',
    maySend: () => key() !== null || askForKey(answer),
    onBody: command.update,
    onReply: (reply, left) => {
      answer.replaceChildren(
        ...[reply.success ? result(reply) : problem(reply, left)].flat(3).filter((one) => one !== null),
      )
    },
  })
  command.update(made.body())
  onChange(() => command.update(made.body()))
  return [
    h('h1', {}, described.title),
    h('p', { class: 'lead' }, described.summary),
    keyCallout(),
    h(
      'div',
      { class: 'work' },
      h('section', { 'aria-label': 'Input' }, made.element),
      h('section', { 'aria-label': 'Result' }, standingLine(), answer, command.element),
    ),
  ]
}

/** Shown above the form until there is a key. */
function keyCallout() {
  const callout = h(
    'div',
    { class: 'callout' },
    h(
      'p',
      {},
      h('strong', {}, 'A computation needs an API key.'),
      ' A guest key needs no e‑mail address, is valid for 24 hours and holds 50 credits.',
    ),
    h('p', { class: 'actions' }, guestButton(), h('a', { href: '#/key' }, 'I have a key or an account')),
  )
  const update = () => {
    callout.hidden = key() !== null
  }
  onChange(update)
  update()
  return callout
}

function askForKey(answer) {
  answer.replaceChildren(
    h(
      'div',
      { class: 'problem', role: 'alert' },
      h('p', {}, h('strong', {}, 'Get a key first: click “Get a guest key” above.')),
    ),
  )
  document.querySelector('.callout button')?.focus()
  return false
}

/** Credits and rate-limit windows according to the latest reply. */
function standingLine() {
  const line = h('p', { class: 'remaining' })
  const update = () => {
    const { credits, windows } = standing
    line.hidden = key() === null || (credits === null && windows.length === 0)
    line.replaceChildren(
      ...[
        credits === null
          ? null
          : h('span', {}, h('strong', {}, credits), credits === 1 ? ' credit left' : ' credits left'),
        ...windows.map(({ name, limit, remaining, resetAt }) =>
          h(
            'span',
            { title: `ends ${new Date(resetAt).toLocaleString()}` },
            h('strong', {}, remaining),
            `${limit === null ? '' : ` of ${limit}`} left ${name === 'day' ? 'today' : `this ${name}`}`,
          ),
        ),
      ].filter((one) => one !== null),
    )
  }
  onChange(update)
  update()
  return line
}

const LONGEST_COMMAND = 20_000

/** The command contains a guest key by default, a permanent key only if the box is checked. */
function curlSample(path) {
  const code = h('code', {})
  let wanted = null
  let latest = {}
  const box = h('input', { type: 'checkbox' })
  const includesKey = () => wanted ?? isGuest()
  const text = () => {
    const body = JSON.stringify(latest)
    const data = body.length > LONGEST_COMMAND ? '@body.json' : body.replaceAll("'", "'\\''")
    const shownKey =
      includesKey() && key() !== null ? `'X-API-Key: ${key().apiKey}'` : '"X-API-Key: $QUANTD_API_KEY"'
    return `curl -sS ${location.origin}${path} \\\n  -H ${shownKey} \\\n  -H 'Content-Type: application/json' \\\n  -d '${data}'`
  }
  const update = (body) => {
    latest = body
    box.checked = includesKey()
    code.textContent = text()
  }
  box.addEventListener('change', () => {
    wanted = box.checked
    update(latest)
  })
  const label = h('label', { class: 'check' }, box, 'include my key')
  const element = h(
    'figure',
    { class: 'sample' },
    h('figcaption', {}, 'Same call with curl', h('span', { class: 'tools' }, label, copyButton(text))),
    h('pre', { tabindex: '0' }, code),
  )
  return { element, update }
}
