/** The entry of a table, which was typed, read from a file, or made of an example. */
import { guessed } from './data/guess.ts'
import { type OptionsOfOperation, readTable } from './data/read-table.ts'
import { type Mapping, NO_TABLE, type Table, type TableEntry, type TableSpec } from './data/shapes.ts'
import type { Values } from './operation.ts'

interface Kept extends Partial<Pick<TableEntry, 'types' | 'taken'>> {
  /** The earlier entry, whose mapping stays while the headings and types stay the same. */
  readonly before?: TableEntry | null
}

/** The entry of typed text. */
export function textEntry(
  spec: TableSpec,
  text: string,
  { before = null, types = {}, taken = [] }: Kept = {},
): TableEntry {
  const entry: TableEntry = { ...NO_TABLE, text, types, taken }
  if (text.trim() === '') return entry
  const headings = (table: Table | null | undefined) => JSON.stringify(table?.columns.map(({ name }) => name))
  try {
    const table = readTable(text, { types, taken, ...readingOf(spec) })
    // The types and rows were chosen for other columns, so the text is read again without them.
    if (
      before !== null &&
      Object.keys(types).length + taken.length > 0 &&
      headings(table) !== headings(before.table)
    )
      return textEntry(spec, text)
    return { ...entry, table, mapping: mappingFor(spec, table, before) }
  } catch (fault) {
    return { ...entry, error: (fault as Error).message }
  }
}

/** The entry without the question whether the columns are recognised, if the person has seen which. */
export const confirmed = (entry: TableEntry, isConfirmed = false): TableEntry =>
  isConfirmed && entry.mapping !== null ? { ...entry, mapping: { ...entry.mapping, guesses: [] } } : entry

/** The options of readTable that depend on the operation. */
export const readingOf = ({ kind, field, names, fields }: TableSpec): OptionsOfOperation => ({
  own: fields ?? (field === undefined ? [] : [field]),
  headings: names,
  isList: kind === 'columns',
  isRagged: kind === 'samples',
})

/** The mapping of a table: that of the table before if it has the same columns and the same guesses, else the guesses. */
export function mappingFor(spec: TableSpec, table: Table, before: TableEntry | null): Mapping {
  const guess = guessed(spec, table)
  const shape = (one: Table) => JSON.stringify(one.columns.map(({ name, type }) => [name, type]))
  if (!before?.table || !before.mapping) return guess
  const isSame =
    rowsRead(before.table) === rowsRead(table) &&
    shape(before.table) === shape(table) &&
    JSON.stringify(guessed(spec, before.table)) === JSON.stringify(guess)
  return isSame ? { ...before.mapping, leavesOut: false } : guess
}

/** The rows of a table, with those that were set aside. */
const rowsRead = ({ rows, aside }: Table): number =>
  rows + aside.reduce((sum, { isTaken, count }) => sum + (isTaken ? 0 : count), 0)

/** The text of a table that has the values of an example. */
export function textOfExample(spec: TableSpec, example: Values): string {
  const { kind, field = '', fields = [], names = '' } = spec
  if (kind === 'matrix' || kind === 'transitions') {
    const headings = listOf(example[names])
    return textOfRows([...(headings.length > 0 ? [headings] : []), ...listOf(example[field]).map(listOf)])
  }
  if (kind === 'records') {
    const items = listOf(example[field]) as readonly Values[]
    const given = fields.filter((name) => items.some((item) => item[name] !== undefined))
    return textOfColumns(given.map((name) => [name, items.map((item) => item[name] ?? '')]))
  }
  if (kind === 'rows') return textOfColumns(columnsOf((example.columns ?? {}) as Values))
  const own = kind === 'history' ? [...fields, 'times'] : fields
  const columns = own.map((name): ExampleColumn => [name, listOf(example[name])])
  return columns.length === 1 ? columns[0][1].join(', ') : textOfColumns(columns)
}

type ExampleColumn = readonly [name: string, list: readonly unknown[]]

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const columnsOf = (values: Values): ExampleColumn[] =>
  Object.entries(values).map(([name, value]) => [name, listOf(value)])

function textOfColumns(given: readonly ExampleColumn[]): string {
  const columns = given.filter(([, list]) => list.length > 0)
  const longest = columns.reduce((most, [, list]) => Math.max(most, list.length), 0)
  return textOfRows([
    columns.map(([name]) => name),
    ...Array.from({ length: longest }, (_, i) => columns.map(([, list]) => list[i])),
  ])
}

const textOfRows = (rows: readonly (readonly unknown[])[]): string =>
  rows.map((cells) => cells.join(', ')).join('\n')
