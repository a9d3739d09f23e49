/** Reads the price of the underlying and the day of the quotes in the rows above the headings of an option chain. */
import { DAY_MS } from '../../../base/time.ts'
import { dateText } from '../times.ts'
import { dateIn, numberIn } from './cells.ts'
import { isHeadingOf } from './headings.ts'

/** A value, and the cells that say it. */
export interface Said<Value> {
  readonly value: Value
  readonly text: string
}

type Rows = readonly (readonly string[])[]

const DAY =
  /^(.*\b)?(date|as of|datum|stand|stichtag|erstellt am|quotes? (?:time|from)|valuation)\s*[:=]?\s+(.*\d.*)$/i
/** What may stand before the word date: those of expiries, earnings and dividends are other days. */
const BEFORE_DATE =
  /(^|[^\p{L}\s]|\b(quotes?|trad(e|ing)|pricing|valuation|market|data|reports?|reporting|snapshot|observation|file|download|export))\s*$/iu
const CLOCK = /[,\s]+(?:at|um|à)\s.*$|[,T\s]+\d{1,2}[:h]\d\d.*$/i
const PRICE = /^(.*?)\s*[:=]\s*([\d.,' ]*\d)(?:\s*[A-Z]{3})?$/

/** The only price that a cell calls that of the underlying, or its last one. @param isLikely tells the number from others, such as years */
export function spotAbove(above: Rows, isLikely: (value: number) => boolean): Said<number> | null {
  const found = entriesOf(above).flatMap(({ name, text, cell }) => {
    if (!isHeadingOf('spot', name) && !/^(last|close|px last|last price)$/i.test(name)) return []
    const readings = [numberIn(text, 'point'), numberIn(text, 'comma')].filter(isLikely)
    return new Set(readings).size === 1 ? [{ value: readings[0], text: cell }] : []
  })
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : null
}

/** Longer cells are texts, such as terms of use. */
const LONGEST = 200
const inShort = (above: Rows): Rows =>
  above.map((cells) => cells.map((cell) => (cell.length > LONGEST ? '' : cell)))

/** Names with the text of their numbers: in one cell, or in two beside each other. */
const entriesOf = (above: Rows) =>
  inShort(above).flatMap((cells) =>
    cells.flatMap((cell, i) => {
      const [, name, text] = PRICE.exec(cell) ?? []
      if (name !== undefined) return [{ name, text, cell }]
      const next = cells[i + 1] ?? ''
      return next === '' ? [] : [{ name: cell.replace(/\s*[:=]$/, ''), text: next, cell: `${cell} ${next}` }]
    }),
  )

/** The only day that a cell calls that of the data, such as `2026-11-27`. */
export function dayAbove(above: Rows): Said<string> | null {
  const cells = inShort(above).flatMap((row) => [
    ...row,
    ...row.map((cell, i) => `${cell} ${row[i + 1] ?? ''}`),
  ])
  const found = cells.flatMap((cell) => {
    const [, before = '', word = '', said = ''] = DAY.exec(cell) ?? []
    const isOther = !BEFORE_DATE.test(before) || /\b(last|next|first|final)\b/i.test(before)
    if (/^date$/i.test(word) && isOther) return []
    const text = said.replace(CLOCK, '')
    const days = [dateIn(text, 'day'), dateIn(text, 'month')].filter(Number.isFinite)
    // Of 05/06/2027 nothing says which is the month.
    return new Set(days).size === 1
      ? [{ value: dateText(days[0] - (days[0] % DAY_MS)), text: cell.trim() }]
      : []
  })
  return new Set(found.map(({ value }) => value)).size === 1 ? found[0] : null
}
