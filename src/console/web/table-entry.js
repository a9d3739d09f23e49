/**
 * The entry of a table: `{ text, file, beside, table, worker, mapping, types, error }`; typed, of a file, or made of an
 * example.
 */
import { guessed } from './data/mapping.js'
import { readTable } from './data/read-table.js'

export const NO_TABLE = {
  text: '',
  file: null,
  /** The second one of two samples. */
  beside: null,
  table: null,
  worker: null,
  mapping: null,
  types: {},
  error: null,
}

/** The entry of typed text. `before`: the earlier one, whose mapping stays while the headings and types do. */
export function textEntry(spec, text, { before = null, types = {} } = {}) {
  const entry = { ...NO_TABLE, text, types }
  if (text.trim() === '') return entry
  const headings = (table) => JSON.stringify(table?.columns.map(({ name }) => name))
  try {
    const table = readTable(text, { types, ...readingOf(spec) })
    // Types were chosen for the columns of the earlier text.
    if (Object.keys(types).length > 0 && headings(table) !== headings(before?.table))
      return textEntry(spec, text)
    return { ...entry, table, mapping: mappingFor(spec, table, before) }
  } catch (fault) {
    return { ...entry, error: fault.message }
  }
}

/** The properties of the operation that reading a table needs. */
export const readingOf = ({ kind, field, fields = [field] }) => ({
  own: fields,
  isList: kind === 'columns',
  isRagged: kind === 'samples',
})

/** The mapping of the table before stays where the columns are the same, and nothing else would be guessed or asked. */
export function mappingFor(spec, table, before) {
  const guess = guessed(spec, table)
  const shape = (one) => JSON.stringify(one.columns.map(({ name, type }) => [name, type]))
  const isSame =
    before?.table?.rows === table.rows &&
    shape(before.table) === shape(table) &&
    JSON.stringify(guessed(spec, before.table)) === JSON.stringify(guess)
  return isSame ? { ...before.mapping, leavesOut: false } : guess
}

/** The text of the values of an example. */
export function textOfExample(spec, example) {
  if (spec.kind === 'matrix' || spec.kind === 'transitions') return textOfRows(example[spec.field] ?? [])
  if (spec.kind === 'records') {
    const items = example[spec.field] ?? []
    const given = spec.fields.filter((name) => items.some((item) => item[name] !== undefined))
    return textOfColumns(given.map((name) => [name, items.map((item) => item[name] ?? '')]))
  }
  if (spec.kind === 'rows') {
    const columns = Object.entries(example.columns ?? {}).filter(([, value]) => Array.isArray(value))
    return textOfColumns(columns)
  }
  const columns = spec.fields.map((name) => [name, example[name] ?? []])
  return columns.length === 1 ? columns[0][1].join(', ') : textOfColumns(columns)
}

function textOfColumns(given) {
  const columns = given.filter(([, list]) => list.length > 0)
  const longest = columns.reduce((most, [, list]) => Math.max(most, list.length), 0)
  return textOfRows([
    columns.map(([name]) => name),
    ...Array.from({ length: longest }, (_, i) => columns.map(([, list]) => list[i])),
  ])
}

const textOfRows = (rows) => rows.map((cells) => cells.join(', ')).join('\n')
