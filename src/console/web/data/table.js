/** A table as build-table.js makes it: its cells, the names of its rows, and the error that names its first fault. */
import { dateText } from '../times.js'
import { isDate } from './column-types.js'

/** Message and place of the first fault of a table. */
export class TableError extends Error {}

/** A cell for people and for files: a number, a date, a word, or nothing. */
export function cellOf(column, row) {
  const value = column.values[row]
  if (Number.isNaN(value)) return column.odd.find((one) => one.row === row)?.text ?? ''
  if (column.words !== null) return column.words[value]
  return isDate(column) ? dateText(value) : value
}

/** The different words of a column, numbers as texts, in the order of their first rows; at most one more than `most`. */
export function wordsIn(column, most) {
  if (column.words !== null) return column.words.slice(0, most + 1)
  const found = new Set()
  for (const value of column.values) {
    if (!Number.isNaN(value)) found.add(value)
    if (found.size > most) break
  }
  return [...found].map(String)
}
