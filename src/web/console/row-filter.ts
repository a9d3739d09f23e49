/** The rows of a table that a person looks for: by a text, or by a comparison such as `> 100`, `20%..30%` or `>= 2026-12-18`. */

import { type Column, cellOf, isDate, isNumeric } from './data/table.ts'
import { hundredth } from './numbers.ts'

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
