/**
 * The rows of a table that are shown: those that a person looks for, by a text or by a comparison such as `> 100`, `20%..30%` or
 * `>= 2026-12-18`; and their order, as typed arrays of their numbers.
 */
import { type Column, cellOf, isDate, isNumeric } from './data/table.ts'
import { hundredth, isNumber } from './numbers.ts'

type Test = (row: number) => boolean

/** Whether each row is one that is looked for, in one column or in any. */
export function rowFilter(text: string, columns: readonly Column[]): Test {
  const wanted = text.trim().replaceAll('−', '-')
  const tests = columns.map(
    (column) => comparison(wanted, column) ?? containing(wanted.toLowerCase(), column),
  )
  return (row) => tests.some((test) => test(row))
}

/** A comparison, if the text is one and the column has numbers or dates; a text column has no such rows. */
function comparison(text: string, column: Column): Test | null {
  const [, sign, bound] = /^(<=|>=|<|>|=|≤|≥)\s*(\S+)$/.exec(text) ?? []
  const [, low, high] = /^(\S+?)\s*(?:\.\.|–)\s*(\S+)$/.exec(text) ?? []
  if (bound === undefined && high === undefined) return null
  const { values } = column
  const number = (cell: string) => numberFor(cell, column)
  if (bound === undefined) {
    const [from, to] = [number(low), number(high)]
    return (row) => values[row] >= from && values[row] <= to
  }
  const limit = number(bound)
  if (sign === '=') return (row) => values[row] === limit
  const isLess = /[<≤]/.test(sign)
  const isEqual = /[=≤≥]/.test(sign)
  return (row) => (isEqual && values[row] === limit) || (isLess ? values[row] < limit : values[row] > limit)
}

function numberFor(cell: string, column: Column): number {
  if (isDate(column)) return Date.parse(cell)
  if (!isNumeric(column)) return Number.NaN
  return cell.endsWith('%') ? hundredth(Number(cell.slice(0, -1))) : Number(cell)
}

/** Whether a cell contains the text, which is in lower case and has no minus sign but `-`; numbers are as they are shown. */
function containing(text: string, column: Column): Test {
  const { words, values, isPercent } = column
  if (words !== null) {
    const found = words.map((word) => word.toLowerCase().replaceAll('−', '-').includes(text))
    return (row) => found[values[row]] ?? false
  }
  if (isDate(column)) return (row) => String(cellOf(column, row)).toLowerCase().includes(text)
  const digits = text.replace(/(?<=\d),(?=\d{3})/g, '').replace(/\s*%$/, '')
  const isOther = !isPercent && digits !== '' && text.endsWith('%')
  const shown = (value: number) => (isPercent ? Number((value * 100).toPrecision(12)) : value)
  return (row) => !isOther && !Number.isNaN(values[row]) && String(shown(values[row])).includes(digits)
}

/** The value of a row, by which rows are sorted; '' is none. */
export type SortKey = string | number | boolean | null | undefined

/** The flagged rows first, the highest scores first if they have scores; the others follow in their own order. */
export function flaggedFirst(
  count: number,
  isFlagged: (row: number) => boolean,
  scoreOf?: (row: number) => number,
): Uint32Array {
  const order = new Uint32Array(count)
  let at = 0
  for (let row = 0; row < count; row++) if (isFlagged(row)) order[at++] = row
  if (scoreOf !== undefined) order.set(sortedBy(order.subarray(0, at), scoreOf, true))
  for (let row = 0; row < count; row++) if (!isFlagged(row)) order[at++] = row
  return order
}

/**
 * The rows of `order`, sorted by `keyOf(row)`, a number, boolean or text. Equal rows keep their order, and rows without a value are
 * last. Texts are sorted as numbers if all of them are numbers.
 */
export function sortedBy(
  order: Uint32Array,
  keyOf: (row: number) => SortKey,
  isDescending: boolean,
): Uint32Array {
  const values = Array.from(order, (row) => keyOf(row))
  const isText = values.some((value) => typeof value === 'string' && value !== '' && !isNumber(value))
  const keys = values.map((value) => {
    const isMissing = value === '' || value === null || value === undefined
    const key = isText ? String(value) : Number(value)
    return isMissing || Number.isNaN(key) ? null : key
  })
  const sign = isDescending ? -1 : 1
  const compare = (a: number, b: number) => {
    const [first, second] = [keys[a], keys[b]]
    if (first === second) return 0
    if (first === null || second === null) return first === null ? 1 : -1
    return first < second ? -sign : sign
  }
  return Uint32Array.from(order.keys())
    .sort(compare)
    .map((place) => order[place])
}
