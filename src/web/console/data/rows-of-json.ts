/**
 * Reads the rows of JSON: an array (or lines) of arrays, of numbers (one column) or of objects (records), an object whose fields
 * are columns, or the body of a request. A field of an object in a record is a column: `{"card":{"age":3}}` has `card.age`.
 */
import { plural, whole } from '../numbers.ts'
import { textOfNumber } from './cells.ts'
import { isDay } from './column-types.ts'
import { type Source, TableError } from './table.ts'

/** How the JSON of an operation is read. */
export interface JsonOptions {
  /** The names of the fields of the table. */
  readonly own?: readonly string[]
  /** The field with the names of its columns, if there is one. */
  readonly headings?: string | undefined
  /** Whether columns may have different lengths. */
  readonly isRagged?: boolean
}

type Json = null | boolean | number | string | readonly Json[] | JsonObject
interface JsonObject {
  readonly [name: string]: Json
}

/** The rows of a table; a row of columns of different lengths lacks cells. */
interface Rows {
  readonly rows: readonly (readonly (Json | undefined)[])[]
  /** null: the JSON has none. */
  readonly names: readonly string[] | null
  readonly others?: JsonObject
}

/** The source of rows for buildTable. */
export function rowsOfJson(text: string, options: JsonOptions): Source {
  const { rows, names, others = {} } = rowsOf(parsed(text), options)
  return {
    separator: 'JSON',
    sign: null,
    names,
    others,
    each: (take) => {
      for (const row of rows) if (take(row.map(textOf)) === false) return
    },
  }
}

function textOf(cell: Json | undefined): string {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return textOfNumber(cell)
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

const LONG_INTEGER = /(?<![\d.])\d{16}/

/** Keeps the digits of an integer that a number would round, because it may be an id, if the browser gives them. */
const withDigits = (_name: string, value: unknown, { source }: { readonly source?: string } = {}) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && source !== undefined ? source : value

function parsed(text: string): readonly Json[] | JsonObject {
  const parse = (json: string) => (LONG_INTEGER.test(json) ? JSON.parse(json, withDigits) : JSON.parse(json))
  try {
    return parse(text)
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      return lines.map(parse)
    } catch {
      throw new TableError(`This is not JSON: ${(error as Error).message}`)
    }
  }
}

function rowsOf(
  given: readonly Json[] | JsonObject,
  { own = [], headings = '', isRagged = false }: JsonOptions,
): Rows {
  if (isList(given)) return rowsOfArray(given)
  const { columns: headed, data } = given
  if (isList(headed) && isList(data) && data.every(isList)) return { rows: data, names: headed.map(textOf) }
  const entries = Object.entries(listsOf(isObject(given.columns) ? given.columns : given))
  const all = entries.filter((entry): entry is [string, readonly Json[]] => isList(entry[1]))
  const fields = all.filter(([name, list]) => own.includes(name) && list.length > 0)
  const lists = fields.length > 0 ? fields : all
  if (lists.length === 0) return { ...rowsOfArray(recordsWithin(given)), others: given }
  const taken = lists.map(([name]) => name)
  const others = Object.fromEntries(entries.filter(([name]) => !taken.includes(name) && !own.includes(name)))
  const [[firstName, first]] = lists
  if (lists.length === 1 && (isList(first[0]) || isObject(first[0]))) {
    const { [headings]: names, ...rest } = others
    const made = rowsOfArray(first)
    return { ...made, names: made.names ?? (isList(names) ? names.map(textOf) : null), others: rest }
  }
  const odd = isRagged ? undefined : lists.find(([, list]) => list.length !== first.length)
  if (odd)
    throw new TableError(
      `“${odd[0]}” has ${plural(odd[1].length, 'value')}, but “${firstName}” has ${whole(first.length)}.`,
    )
  const longest = lists.reduce((most, [, list]) => Math.max(most, list.length), 0)
  const rows = Array.from({ length: longest }, (_, i) => lists.map(([, list]) => list[i]))
  return { rows, names: taken, others }
}

/** The records of all lists within an object, which have the same fields: one list an expiry, say, or one a strike. */
function recordsWithin(given: JsonObject): readonly JsonObject[] {
  const values = Object.values(given)
  if (values.length > 1 && values.every(isObject) && Object.keys(given).every(isRowName)) return values
  const lists = recordLists(given)
  if (lists.length === 0 && values.length > 1 && values.every(isObject))
    throw new TableError(
      'The records of this JSON have names, which may be those of rows or of columns: save them as an array.',
    )
  if (lists.length === 0) throw new TableError('The JSON holds no array.')
  const kinds = new Set(lists.map(([first]) => Object.keys(first).toSorted().join()))
  if (kinds.size > 1)
    throw new TableError('The JSON holds several tables with different fields: save one of them.')
  return lists.flat()
}

/** Whether a name is that of a row, as pandas writes them: a number or a date. */
const isRowName = (name: string): boolean => /^\d+$/.test(name) || isDay(name)

/** The most levels of objects and lists. */
const DEEPEST = 8

/** The lists of records that hold no further ones. */
function recordLists(given: Json, depth = 0): (readonly JsonObject[])[] {
  if (depth > DEEPEST || !(isList(given) || isObject(given))) return []
  const inner = Object.values(given).flatMap((one) => recordLists(one, depth + 1))
  return inner.length === 0 && isList(given) && given.length > 0 && given.every(isObject) ? [given] : inner
}

/**
 * An object of columns whose cells have the numbers or dates of their rows, as lists: pandas writes `{"x":{"0":1,"1":2}}`. Of other
 * names nothing says whether they are those of rows or of columns.
 */
function listsOf(given: JsonObject): JsonObject {
  const [first, ...others] = Object.values(given)
  if (first === undefined || !isObject(first) || Object.keys(first).length < 2) return given
  const names = Object.keys(first)
  const isSame = (one: Json) => isObject(one) && Object.keys(one).join() === names.join()
  if (!names.every(isRowName) || !others.every(isSame)) return given
  const lists = Object.entries(given).map(([name, cells]) => [name, Object.values(cells as JsonObject)])
  return Object.fromEntries(
    names.every((name, i) => name === String(i)) ? lists : [['Unnamed: 0', names], ...lists],
  )
}

function rowsOfArray(given: readonly Json[]): Rows {
  if (given.every(isList)) return { rows: given, names: null }
  if (!given.every(isObject)) return { rows: given.map((value) => [value]), names: null }
  const records = given.map(flat)
  const names = [...new Set(records.flatMap(Object.keys))]
  return { rows: records.map((record) => names.map((name) => record[name])), names }
}

const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !isList(value)

const flat = (record: JsonObject): JsonObject =>
  Object.values(record).some(isObject) ? Object.fromEntries(flatEntries(record)) : record

const flatEntries = (record: JsonObject): [string, Json][] =>
  Object.entries(record).flatMap(([name, value]): [string, Json][] =>
    isObject(value) ? flatEntries(value).map(([inner, cell]) => [`${name}.${inner}`, cell]) : [[name, value]],
  )
