/** The entry of a table, which was typed, read from a file, or made of an example. */
// @ts-nocheck: to be converted
import { guessed } from './data/mapping.ts'
import { readTable } from './data/read-table.ts'

export const NO_TABLE = {
  text: '',
  file: null,
  /** The file of the second of two samples. */
  beside: null,
  table: null,
  worker: null,
  mapping: null,
  types: {},
  /** The rows that were taken back among those set aside: their numbers or kinds. */
  taken: [],
  error: null,
}

/** The entry of typed text. `before`: the earlier entry, whose mapping stays while the headings and types stay the same. */
export function textEntry(spec, text, { before = null, types = {}, taken = [] } = {}) {
  const entry = { ...NO_TABLE, text, types, taken }
  if (text.trim() === '') return entry
  const headings = (table) => JSON.stringify(table?.columns.map(({ name }) => name))
  try {
    const table = readTable(text, { types, taken, ...readingOf(spec) })
    // The types and rows were chosen for other columns, so the text is read again without them.
    if (Object.keys(types).length + taken.length > 0 && headings(table) !== headings(before?.table))
      return textEntry(spec, text)
    return { ...entry, table, mapping: mappingFor(spec, table, before) }
  } catch (fault) {
    return { ...entry, error: fault.message }
  }
}

/** The options of readTable that depend on the operation. */
export const readingOf = ({ kind, field, names, fields = [field] }) => ({
  own: fields,
  headings: names,
  isList: kind === 'columns',
  isRagged: kind === 'samples',
})

/** The mapping of a table: that of the table before if it has the same columns and the same guesses, else the guesses. */
export function mappingFor(spec, table, before) {
  const guess = guessed(spec, table)
  const shape = (one) => JSON.stringify(one.columns.map(({ name, type }) => [name, type]))
  const isSame =
    before?.table &&
    rowsRead(before.table) === rowsRead(table) &&
    shape(before.table) === shape(table) &&
    JSON.stringify(guessed(spec, before.table)) === JSON.stringify(guess)
  return isSame ? { ...before.mapping, leavesOut: false } : guess
}

/** The rows of a table, with those that were set aside. */
const rowsRead = ({ rows, aside }) =>
  rows + aside.reduce((sum, { isTaken, count }) => sum + (isTaken ? 0 : count), 0)

/** The text of a table that has the values of an example. */
export function textOfExample(spec, example) {
  if (spec.kind === 'matrix' || spec.kind === 'transitions') {
    const headings = example[spec.names] ?? []
    return textOfRows([...(headings.length > 0 ? [headings] : []), ...(example[spec.field] ?? [])])
  }
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
