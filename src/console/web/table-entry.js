/** The entry of a table that is typed: read at once, or made of an example. */
import { readTable } from './data/read-table.js'
import { asColumn } from './data/table.js'
import { chosenColumns } from './data/table-values.js'

/** `before`: the columns chosen until now. */
export function textEntry(spec, text, before) {
  const entry = { text, table: null, worker: null, file: null, chosen: before ?? [0, 1], error: null }
  if (text.trim() === '') return entry
  try {
    const found = readTable(text, { hasWords: spec.kind === 'rows' })
    const table = spec.kind === 'columns' ? asColumn(found) : found
    const isSame = spec.kind !== 'rows' && before?.every((column) => column < table.columns)
    return { ...entry, table, chosen: isSame ? before : chosenColumns(spec, table.names) }
  } catch (fault) {
    return { ...entry, error: fault.message }
  }
}

/** The text of the values of an example. */
export function textOfExample(spec, example) {
  if (spec.kind === 'matrix') return textOfRows(example[spec.field] ?? [])
  if (spec.kind === 'rows') {
    const columns = Object.entries(example.columns ?? {}).filter(([, value]) => Array.isArray(value))
    return textOfColumns(columns)
  }
  const columns = spec.fields.map((name) => [name, example[name] ?? []])
  return columns.length === 1 ? columns[0][1].join(', ') : textOfColumns(columns)
}

const textOfColumns = (columns) =>
  textOfRows([
    columns.map(([name]) => name),
    ...(columns[0]?.[1] ?? []).map((_, i) => columns.map(([, list]) => list[i])),
  ])

const textOfRows = (rows) => rows.map((cells) => cells.join(', ')).join('\n')
