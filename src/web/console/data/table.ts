/** The shape of a table that build-table.ts has made, its cells and words, and the error for its first fault. */
import { dateText } from '../times.ts'

/** How the cells of a column are read (column-types.ts). */
export type ColumnType =
  | 'number'
  | 'comma'
  | 'percent'
  | 'percent comma'
  | 'day'
  | 'month'
  | 'serial'
  | 'duration'
  | 'text'

/** A cell that can be read in two ways, by two types, of which the first was taken. */
export interface Doubt {
  readonly cell: string
  readonly readings: readonly (number | string)[]
  readonly types: readonly ColumnType[]
}

export interface Column {
  readonly name: string
  readonly type: ColumnType
  /** Numbers, milliseconds since 1970 or indices into `words`; NaN for cells that are empty or of another type. */
  readonly values: Float64Array<ArrayBuffer>
  readonly words: readonly string[] | null
  /** The number of empty cells. */
  readonly gaps: number
  /** The first cells of another type; `row` counts from 0. */
  readonly odd: readonly { readonly row: number; readonly text: string }[]
  readonly oddCount: number
  /** Whether cells have a percent sign. */
  readonly isPercent: boolean
  readonly doubt: Doubt | null
  /** The columns from which this one was made; absent: it is one of the file. */
  readonly madeOf?: string
}

/** The kinds of rows that are no observations. */
export type AsideKind = 'hidden' | 'headings' | 'note' | 'total'

/** The key of a row, or of all rows of a kind, that the person takes back, or of a column that is filled down. */
export type AsideKey = number | string

export interface AsideGroup {
  readonly kind: AsideKind
  readonly key: AsideKey
  readonly isTaken: boolean
  readonly count: number
  /** The first rows of the group; `number` counts the rows below the headings from 1. */
  readonly rows: readonly {
    readonly key: AsideKey
    readonly number: number
    readonly cells: readonly string[]
  }[]
}

/** A column whose values stand only in the first row of a group. */
export interface Groups {
  readonly key: AsideKey
  readonly name: string
  /** The number of its empty cells, before it is filled down. */
  readonly count: number
  readonly isMerged: boolean
  /** Whether the person has it filled down. */
  readonly isTaken: boolean
}

export interface Table {
  readonly rows: number
  /** How the table was made of that of the file, in words; empty: it is that of the file. */
  readonly made: string
  readonly columns: readonly Column[]
  readonly hasHeader: boolean
  readonly separator: string | null
  /** The rows above the headings. */
  readonly above: readonly (readonly string[])[]
  /** The texts of the first rows. */
  readonly head: readonly (readonly string[])[]
  /** The number of each row below the headings, or null if they count the rows. */
  readonly numbers: Uint32Array | null
  readonly aside: readonly AsideGroup[]
  readonly groups: readonly Groups[]
  /** The fields of the body of a request that are not in its table. */
  readonly others?: Readonly<Record<string, unknown>>
  readonly sheets?: readonly string[]
  readonly sheet?: string
}

/** What a file says of a row. */
export interface RowFacts {
  readonly isHidden?: boolean
  readonly isSum?: boolean
  readonly isAfterBlank?: boolean
  /** The columns whose cells are merged with those above. */
  readonly below?: readonly number[]
}

/** The rows of a text or file, for buildTable. */
export interface Source {
  /** Calls `take` with the texts of each row, the position of its end and what the file says of it, until it returns false. */
  readonly each: (take: (cells: string[], end?: number, facts?: RowFacts) => unknown) => void
  /** The names of the columns, or null. */
  readonly names: readonly string[] | null
  readonly separator: string
  /** The separator of the cells of a text; only if it is not the comma, a comma may be the decimal separator. */
  readonly sign: string | null
  /** The number of the line that ends at a position. */
  readonly lineAt?: (end: number) => number
  readonly others?: Readonly<Record<string, unknown>>
}

/** The first fault of a table; the message names its place. */
export class TableError extends Error {}

type Typed = Pick<Column, 'type'>
export const isDate = ({ type }: Typed): boolean => ['day', 'month', 'serial'].includes(type)
export const isNumeric = (column: Typed): boolean => !isDate(column) && column.type !== 'text'

/** The number of a row below the headings; rows that were set aside count. */
export const numberOf = ({ numbers }: Pick<Table, 'numbers'>, row: number): number =>
  numbers?.[row] ?? row + 1

/** The value of a cell as people and files have it: a number, the text of a date, a word, or an empty text. */
export function cellOf(column: Column, row: number): number | string {
  const value = column.values[row]
  if (Number.isNaN(value)) return column.odd.find((one) => one.row === row)?.text ?? ''
  if (column.words !== null) return column.words[value]
  return isDate(column) ? dateText(value) : value
}

/** The distinct words of a column (numbers as texts) in the order in which they first occur; at most `most` + 1 of them. */
export function wordsIn(column: Column, most: number): string[] {
  if (column.words !== null) return column.words.slice(0, most + 1)
  const found = new Set<number>()
  for (const value of column.values) {
    if (!Number.isNaN(value)) found.add(value)
    if (found.size > most) break
  }
  return [...found].map(String)
}

/** A word in a column, by which rows are kept. */
export interface Only {
  readonly column: number
  readonly word: string
}

/** The rows of a table that have all of these words. */
export function keptRows(table: Table, only: readonly Only[]): Table {
  if (only.length === 0) return table
  const isKept = (row: number) =>
    only.every(({ column, word }) => String(cellOf(table.columns[column], row)) === word)
  const rows = Array.from({ length: table.rows }, (_, row) => row).filter(isKept)
  if (rows.length === table.rows) return table
  const places = new Map(rows.map((row, i) => [row, i]))
  const columns = table.columns.map((column): Column => {
    const values = Float64Array.from(rows, (row) => column.values[row])
    const odd = column.odd.flatMap(({ row, text }) => {
      const place = places.get(row)
      return place === undefined ? [] : [{ row: place, text }]
    })
    const gaps = values.filter(Number.isNaN).length - odd.length
    const kept = { ...column, values, odd, oddCount: odd.length, gaps }
    return column.words === null ? kept : { ...kept, ...usedWords(values, column.words) }
  })
  return {
    ...table,
    rows: rows.length,
    columns,
    numbers: Uint32Array.from(rows, (row) => numberOf(table, row)),
  }
}

function usedWords(values: Float64Array<ArrayBuffer>, words: readonly string[]) {
  const used = [...new Set(values.filter((value) => !Number.isNaN(value)))]
  const places = new Map(used.map((value, place) => [value, place]))
  return {
    values: values.map((value) => places.get(value) ?? Number.NaN),
    words: used.map((value) => words[value]),
  }
}

/** Whether two columns say the same in each row, so that it does not matter which one is taken. */
export const areEqual = (a: Column, b: Column): boolean =>
  isDate(a) === isDate(b) &&
  a.words === null &&
  b.words === null &&
  a.values.every((value, row) => Object.is(value, b.values[row]))

/** The length of a column without the empty cells at its end. */
export function lengthOf(column: Column, rows: number): number {
  let length = rows
  while (length > 0 && cellOf(column, length - 1) === '') length--
  return length
}

/** A column whose empty cells are 0. */
export const withZeros = (column: Column): Column => ({
  ...column,
  values: column.values.map((value, row) => (Number.isNaN(value) && cellOf(column, row) === '' ? 0 : value)),
})

/** Whether two columns have a value of their own for each of the same groups of rows. */
export function groupsAlike({ values }: Column, { values: others }: Column): boolean {
  const pairs = new Set(Array.from(values, (value, row) => `${value} ${others[row]}`)).size
  return pairs === new Set(values).size && pairs === new Set(others).size
}
