/** A form that is sent to a path; each error is shown at its field. */
import { h } from './dom.js'
import { field } from './field.js'
import { send } from './session.js'

/**
 * Takes `{ path, fields, action, onReply, onBody, maySend, added }`. `added` takes the body and returns what is sent besides. `onBody` is called with the body whenever it changes; `onReply`
 * with the reply and the details that no field shows.
 */
export function form({
  path,
  fields,
  action,
  quiet = false,
  onReply,
  onBody,
  maySend = () => true,
  added = () => ({}),
}) {
  const parts = fields.map(field)
  const button = h('button', { type: 'submit', class: quiet ? 'quiet' : null }, action)
  const element = h(
    'form',
    { novalidate: true },
    h(
      'div',
      { class: 'fields' },
      parts.map(({ element }) => element),
    ),
    h('div', { class: 'actions' }, button),
  )
  const body = () => Object.fromEntries(parts.map((part) => [part.name, part.value()]))

  element.addEventListener('input', () => onBody?.(body()))
  element.addEventListener('submit', async (event) => {
    event.preventDefault()
    if (button.getAttribute('aria-disabled') === 'true' || !maySend()) return
    for (const part of parts) part.showError(null)
    button.setAttribute('aria-disabled', 'true')
    const sent = body()
    const reply = await send(path, JSON.stringify({ ...sent, ...added(sent) }))
    button.removeAttribute('aria-disabled')
    onReply(reply, showErrors(parts, reply.error?.details ?? []), sent)
  })
  return { element, body, parts }
}

/** Shows each detail at its field and focuses the first; returns the details that belong to no field. */
function showErrors(parts, details) {
  const left = []
  let first = null
  for (const { path, message } of details) {
    const [, name, ...inner] = path.split('/').map(unescaped)
    const part = parts.find((candidate) => candidate.name === name)
    if (part === undefined) {
      left.push({ path, message })
      continue
    }
    if (part.control.getAttribute('aria-invalid') === 'true') continue
    part.showError(`${placeIn(inner)}${message}`)
    first ??= part.control
  }
  first?.focus()
  return left
}

/** RFC 6901. */
const unescaped = (segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')

function placeIn([row, column]) {
  if (row === undefined) return ''
  if (column === undefined) return `Item ${Number(row) + 1}: `
  return `Row ${Number(row) + 1}, column ${Number(column) + 1}: `
}
