/**
 * Reads the rows of JSON: an array (or lines) of arrays, of numbers (one column) or of objects (records), an object whose fields
 * are columns, or the body of a request. A field of an object in a record is a column: `{"card":{"age":3}}` has `card.age`.
 */
// @ts-nocheck: to be converted
import { plural, whole } from '../numbers.ts'
import { textOfNumber } from './cells.ts'
import { TableError } from './table.ts'

/**
 * The source of rows for buildTable. `others`: the fields of the body of a request that are not in its table.
 * @param given `own`: names of the fields of the table; `headings`: the field with the names of its columns, if there is one;
 * `isRagged`: whether columns may have different lengths
 */
export function rowsOfJson(text, given) {
  const { rows, names, others = {} } = rowsOf(parsed(text), given)
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

function textOf(cell) {
  if (cell === null || cell === undefined) return ''
  if (typeof cell === 'number') return textOfNumber(cell)
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

const LONG_INTEGER = /(?<![\d.])\d{16}/

/** Keeps the digits of an integer that a number would round, because it may be an id, if the browser gives them. */
const withDigits = (_name, value, { source } = {}) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && source !== undefined ? source : value

function parsed(text) {
  const parse = (json) => (LONG_INTEGER.test(json) ? JSON.parse(json, withDigits) : JSON.parse(json))
  try {
    return parse(text)
  } catch (error) {
    const lines = text.split('\n').filter((line) => line.trim() !== '')
    try {
      return lines.map(parse)
    } catch {
      throw new TableError(`This is not JSON: ${error.message}`)
    }
  }
}

/** `{ rows, names, others }`; `names` is null if the JSON has none. */
function rowsOf(given, { own = [], headings, isRagged = false }) {
  if (Array.isArray(given)) return rowsOfArray(given)
  const entries = Object.entries(isObject(given.columns) ? given.columns : given)
  const all = entries.filter(([, value]) => Array.isArray(value))
  const fields = all.filter(([name, list]) => own.includes(name) && list.length > 0)
  const lists = fields.length > 0 ? fields : all
  if (lists.length === 0) throw new TableError('The JSON holds no array.')
  const others = Object.fromEntries(
    entries.filter((entry) => !lists.includes(entry) && !own.includes(entry[0])),
  )
  const [[firstName, first]] = lists
  if (lists.length === 1 && typeof first[0] === 'object') {
    const { [headings]: names = null, ...rest } = others
    const made = rowsOfArray(first)
    return { ...made, names: made.names ?? names, others: rest }
  }
  const odd = isRagged ? undefined : lists.find(([, list]) => list.length !== first.length)
  if (odd)
    throw new TableError(
      `“${odd[0]}” has ${plural(odd[1].length, 'value')}, but “${firstName}” has ${whole(first.length)}.`,
    )
  const longest = lists.reduce((most, [, list]) => Math.max(most, list.length), 0)
  const rows = Array.from({ length: longest }, (_, i) => lists.map(([, list]) => list[i]))
  return { rows, names: lists.map(([name]) => name), others }
}

function rowsOfArray(given) {
  if (given.every((row) => Array.isArray(row))) return { rows: given, names: null }
  if (!given.every((row) => row !== null && typeof row === 'object'))
    return { rows: given.map((value) => [value]), names: null }
  const records = given.map(flat)
  const names = [...new Set(records.flatMap(Object.keys))]
  return { rows: records.map((record) => names.map((name) => record[name])), names }
}

const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value)

const flat = (record) =>
  Object.values(record).some(isObject) ? Object.fromEntries(flatEntries(record)) : record

const flatEntries = (record) =>
  Object.entries(record).flatMap(([name, value]) =>
    isObject(value) ? flatEntries(value).map(([inner, cell]) => [`${name}.${inner}`, cell]) : [[name, value]],
  )
