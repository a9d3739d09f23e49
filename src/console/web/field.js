/** One labelled field of a form: its control, value and error message. */
import { freshId, h } from './dom.js'
import { jsonFrom, matrixFrom, matrixText, numberFrom, vectorFrom } from './entry.js'

/** Takes a field of forms.json; returns `{ element, control, value(), showError(message) }`. */
export function field(described) {
  const id = freshId('field')
  const control = controlOf(described, id)
  const error = h('p', { class: 'error', id: `${id}-error`, hidden: true })
  const hint = hintOf(described)
  control.setAttribute('aria-describedby', `${id}-hint ${id}-error`)
  if (described.required) control.setAttribute('aria-required', 'true')
  const showError = (message) => {
    error.hidden = message === null
    error.textContent = message ?? ''
    message === null ? control.removeAttribute('aria-invalid') : control.setAttribute('aria-invalid', 'true')
  }
  control.addEventListener('input', () => showError(null))
  const element = h(
    'div',
    { class: `field ${isWide(described) ? 'wide' : ''}` },
    h('label', { for: id }, described.label ?? h('code', {}, described.name), optional(described)),
    control,
    error,
    h('p', { class: 'hint', id: `${id}-hint` }, hint),
    isWide(described) ? filePicker(described, control) : null,
  )
  return { name: described.name, element, control, showError, value: () => entered(described, control) }
}

const isWide = ({ kind }) => ['vector', 'matrix', 'json'].includes(kind)

const optional = ({ required }) => (required ? null : h('span', { class: 'optional' }, 'optional'))

const hintOf = ({ description, bounds, default: fallback, kind }) => {
  const isSet = fallback !== null && fallback !== undefined && kind !== 'choice'
  const rules = [bounds, isSet ? `default ${fallback}` : ''].filter((part) => part)
  return [`${description} `, ...rules.map((rule) => h('span', { class: 'bounds' }, rule))]
}

function controlOf(described, id) {
  const { kind, name, example, default: fallback, choices } = described
  const common = { id, name, autocomplete: described.autocomplete ?? 'off', spellcheck: 'false' }
  if (kind === 'choice') {
    const chosen = example ?? fallback
    return h(
      'select',
      common,
      choices.map((word) => h('option', { value: word, selected: word === chosen }, word)),
    )
  }
  if (isWide(described)) {
    const area = h('textarea', {
      ...common,
      rows: kind === 'matrix' ? 7 : 3,
      placeholder: placeholders[kind],
    })
    area.value = textOf(kind, example)
    return area
  }
  const input = h('input', {
    ...common,
    type: kind === 'number' ? 'text' : kind,
    inputmode: kind === 'number' ? 'decimal' : described.inputmode,
    placeholder: fallback === null || fallback === undefined ? null : String(fallback),
  })
  input.value = example === null || example === undefined ? '' : String(example)
  return input
}

const placeholders = {
  vector: '1, 2, 3 or [1, 2, 3]',
  matrix: 'one row per line (paste from a spreadsheet or CSV), or JSON',
  json: 'JSON',
}

function textOf(kind, value) {
  if (value === null || value === undefined) return ''
  if (kind === 'matrix') return matrixText(value)
  return kind === 'vector' ? value.join(', ') : JSON.stringify(value, null, 2)
}

/** undefined: empty, so the field is omitted from the request. */
function entered({ kind, choices }, control) {
  const text = control.value
  if (text.trim() === '') return undefined
  switch (kind) {
    case 'number':
      return numberFrom(text)
    case 'choice':
      return choices.find((choice) => String(choice) === text) ?? text
    case 'vector':
      return vectorFrom(text)
    case 'matrix':
      return matrixFrom(text)
    case 'json':
      return jsonFrom(text)
    default:
      return text
  }
}

function filePicker({ name }, control) {
  const input = h('input', {
    type: 'file',
    accept: '.csv,.tsv,.txt,.json',
    'aria-label': `Fill ${name} from a file`,
  })
  input.addEventListener('change', async () => {
    const [file] = input.files
    if (file === undefined) return
    control.value = await file.text()
    control.dispatchEvent(new Event('input', { bubbles: true }))
    input.value = ''
  })
  return h('p', { class: 'file' }, input)
}
