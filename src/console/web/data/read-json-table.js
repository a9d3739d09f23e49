/** Reads a table from JSON: an array of arrays, an array of numbers (one column), or an object of columns with names. */
import { plural, whole } from '../numbers.js'
import { namesFor, TableError, wordsOf } from './table.js'

/** → a table as read-table.js describes it. */
export function readJsonTable(text, hasWords) {
  const { rows, names } = rowsOf(parsed(text))
  if (rows.length === 0 || !Array.isArray(rows[0]) || rows[0].length === 0)
    throw new TableError('There is no number yet.')
  const columns = rows[0].length
  const values = new Float64Array(rows.length * columns)
  const words = rows[0].map((cell) => (hasWords && typeof cell === 'string' ? new Map() : null))
  rows.forEach((row, i) => {
    if (!Array.isArray(row) || row.length !== columns)
      throw new TableError(
        `Row ${whole(i + 1)} has ${plural(row?.length ?? 0, 'cell')}, but the first row has ${whole(columns)}.`,
      )
    row.forEach((cell, j) => {
      const list = words[j]
      if (list !== null && typeof cell === 'string') {
        if (!list.has(cell)) list.set(cell, list.size)
        values[i * columns + j] = list.get(cell)
      } else if (list === null && typeof cell === 'number' && Number.isFinite(cell)) {
        values[i * columns + j] = cell
      } else {
        throw new TableError(
          `Row ${whole(i + 1)}, column ${whole(j + 1)}: ${JSON.stringify(cell)?.slice(0, 40)} is not a ${list === null ? 'number' : 'word'}.`,
        )
      }
    })
  })
  return {
    ...{ values, rows: rows.length, columns, hasHeader: names !== null, labels: null, separator: 'JSON' },
    words: wordsOf(words),
    names: namesFor(columns, names),
  }
}

function parsed(text) {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TableError(`This is not JSON: ${error.message}`)
  }
}

/** `{ rows, names }`; null for names that are not given. */
function rowsOf(given) {
  if (Array.isArray(given))
    return { rows: Array.isArray(given[0]) ? given : given.map((value) => [value]), names: null }
  const lists = Object.entries(given.columns ?? given).filter(([, value]) => Array.isArray(value))
  if (lists.length === 0) throw new TableError('The JSON holds no array of numbers.')
  const [[firstName, first]] = lists
  if (lists.length === 1 && Array.isArray(first[0])) return { rows: first, names: null }
  const odd = lists.find(([, list]) => list.length !== first.length)
  if (odd)
    throw new TableError(
      `“${odd[0]}” has ${plural(odd[1].length, 'value')}, but “${firstName}” has ${whole(first.length)}.`,
    )
  return { rows: first.map((_, i) => lists.map(([, list]) => list[i])), names: lists.map(([name]) => name) }
}
