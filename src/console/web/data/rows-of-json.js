/** The rows of JSON: an array of arrays, of numbers (one column) or of objects (records), or an object of columns with names. */
import { plural, whole } from '../numbers.js'
import { TableError } from './table.js'

/** Rows as build-table.js takes them. */
export function rowsOfJson(text) {
  const { rows, names } = rowsOf(parsed(text))
  return {
    ...{ separator: 'JSON', sign: null, names },
    each: (take) => {
      for (const row of rows) if (take(row.map(textOf)) === false) return
    },
  }
}

const textOf = (cell) =>
  cell === null || cell === undefined ? '' : typeof cell === 'object' ? JSON.stringify(cell) : String(cell)

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TableError(`This is not JSON: ${error.message}`)
  }
}

/** `{ rows, names }`; null for names that are not given. */
function rowsOf(given) {
  if (Array.isArray(given)) return rowsOfArray(given)
  const lists = Object.entries(given.columns ?? given).filter(([, value]) => Array.isArray(value))
  if (lists.length === 0) throw new TableError('The JSON holds no array.')
  const [[firstName, first]] = lists
  if (lists.length === 1 && typeof first[0] === 'object') return rowsOfArray(first)
  const odd = lists.find(([, list]) => list.length !== first.length)
  if (odd)
    throw new TableError(
      `“${odd[0]}” has ${plural(odd[1].length, 'value')}, but “${firstName}” has ${whole(first.length)}.`,
    )
  return { rows: first.map((_, i) => lists.map(([, list]) => list[i])), names: lists.map(([name]) => name) }
}

function rowsOfArray(given) {
  if (given.every((row) => Array.isArray(row))) return { rows: given, names: null }
  if (!given.every((row) => row !== null && typeof row === 'object'))
    return { rows: given.map((value) => [value]), names: null }
  const names = [...new Set(given.flatMap(Object.keys))]
  return { rows: given.map((record) => names.map((name) => record[name])), names }
}
