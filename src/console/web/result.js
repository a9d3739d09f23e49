/** The result of a computation: numbers, tables, and the JSON of the reply. */
import { copyButton } from './copy.js'
import { h } from './dom.js'

const MOST_ROWS = 200
const MOST_COLUMNS = 30
const MOST_CHARACTERS = 100_000

export function result(reply) {
  const { data, text, ms, headers } = reply
  return [
    ...presented(data),
    h(
      'p',
      { class: 'hint' },
      `${Math.max(1, Math.round(ms))} ms · ${charge(headers)} · request ${headers.get('x-request-id')}`,
    ),
    h(
      'figure',
      { class: 'sample' },
      h(
        'figcaption',
        {},
        'JSON',
        copyButton(() => text),
      ),
      h('pre', { tabindex: '0' }, h('code', {}, shortened(text))),
    ),
  ]
}

function charge(headers) {
  const cost = headers.get('x-credits-cost') ?? '?'
  return cost === '1' ? '1 credit' : `${cost} credits`
}

/** Plain values first, then lists; lists of equal length share a table. */
function presented(data) {
  const entries = Object.entries(data)
  const values = entries.filter(([, value]) => !Array.isArray(value))
  const matrices = entries.filter(([, value]) => Array.isArray(value) && Array.isArray(value[0]))
  const lists = entries
    .filter(([, value]) => Array.isArray(value) && !Array.isArray(value[0]))
    .flatMap(columns)
  const lengths = [...new Set(lists.map(([, list]) => list.length))]
  return [
    values.length === 0 ? null : h('dl', { class: 'values' }, values.map(pair)),
    ...lengths.map((length) => listTable(lists.filter(([, list]) => list.length === length))),
    ...matrices.map(([name, rows]) => matrixTable(name, rows)),
  ]
}

/** Turns a list of objects into one list per field; fields with objects come last. */
function columns([name, list]) {
  if (!isObject(list[0])) return [[name, list]]
  const fields = [...new Set(list.flatMap(Object.keys))]
  return fields
    .map((field) => [field, list.map((item) => item[field] ?? '')])
    .sort(([, a], [, b]) => a.some(isObject) - b.some(isObject))
}

const isObject = (value) => typeof value === 'object' && value !== null

/** Whether a row is highlighted: flagged items and failed calls. */
const standsOut = (name, value) => value === (name !== 'success')

const pair = ([name, value]) =>
  h(
    'div',
    {},
    h('dt', {}, h('code', {}, name)),
    h('dd', { class: typeof value === 'number' ? 'number' : null }, shown(value)),
  )

const shown = (value) => (isObject(value) ? JSON.stringify(value) : String(value))

function listTable(lists) {
  const [[, { length }]] = lists
  if (length === 0)
    return h(
      'p',
      {},
      lists.map(([name]) => h('code', {}, name)),
      ': none',
    )
  const head = h(
    'tr',
    {},
    h('th', { scope: 'col' }, '#'),
    lists.map(([name]) => h('th', { scope: 'col' }, h('code', {}, name))),
  )
  const rows = range(Math.min(length, MOST_ROWS)).map((index) =>
    h(
      'tr',
      { class: lists.some(([name, list]) => standsOut(name, list[index])) ? 'marked' : null },
      h('th', { scope: 'row' }, index),
      lists.map(([, list]) => h('td', {}, shown(list[index]))),
    ),
  )
  return table(null, head, rows, length - MOST_ROWS)
}

function matrixTable(name, rows) {
  const width = Math.min(rows[0].length, MOST_COLUMNS)
  const head = h(
    'tr',
    {},
    h('th', { scope: 'col' }, '#'),
    range(width).map((column) => h('th', { scope: 'col' }, column)),
  )
  const body = rows.slice(0, MOST_ROWS).map((row, index) =>
    h(
      'tr',
      {},
      h('th', { scope: 'row' }, index),
      row.slice(0, width).map((value) => h('td', {}, shown(value))),
    ),
  )
  return table(h('code', {}, name), head, body, rows.length - MOST_ROWS)
}

const table = (caption, head, rows, left) => [
  h(
    'div',
    { class: 'scroll data', tabindex: '0', role: 'group', 'aria-label': 'Result table' },
    h('table', {}, caption && h('caption', {}, caption), h('thead', {}, head), h('tbody', {}, rows)),
  ),
  left > 0 ? h('p', { class: 'hint' }, `${left} more rows in the JSON below`) : null,
]

const range = (length) => Array.from({ length }, (_, index) => index)

/** Short replies indented, long ones truncated; the button copies the whole text. */
function shortened(text) {
  if (text.length < 5_000)
    return JSON.stringify(JSON.parse(text), null, 2).replace(
      /\[\s+([^[\]{}]*?)\s+\]/g,
      (_, inner) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`,
    )
  return text.length <= MOST_CHARACTERS
    ? text
    : `${text.slice(0, MOST_CHARACTERS)}\n… ${text.length - MOST_CHARACTERS} more characters`
}
