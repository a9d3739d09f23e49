/** The cells and words of a table that build-table.js has made, and the error for its first fault. */
// @ts-nocheck: to be converted
import { dateText } from '../times.ts'
import { isDate } from './column-types.ts'

/** The first fault of a table; the message names its place. */
export class TableError extends Error {}

/** The number of a row below the headings; rows that were set aside count. */
export const numberOf = ({ numbers }, row) => numbers?.[row] ?? row + 1

/** The value of a cell as people and files have it: a number, the text of a date, a word, or an empty text. */
export function cellOf(column, row) {
  const value = column.values[row]
  if (Number.isNaN(value)) return column.odd.find((one) => one.row === row)?.text ?? ''
  if (column.words !== null) return column.words[value]
  return isDate(column) ? dateText(value) : value
}

/** The distinct words of a column (numbers as texts) in the order in which they first occur; at most `most` + 1 of them. */
export function wordsIn(column, most) {
  if (column.words !== null) return column.words.slice(0, most + 1)
  const found = new Set()
  for (const value of column.values) {
    if (!Number.isNaN(value)) found.add(value)
    if (found.size > most) break
  }
  return [...found].map(String)
}
