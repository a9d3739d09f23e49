/** Reads cells as people write them: numbers, dates, and marks of missing values. */
// @ts-nocheck: to be converted
import { hundredth, isNumber } from '../numbers.ts'

const GAPS = new Set(
  '|-|–|—|.|?|na|n/a|n.a.|#n/a|#n/v|#na|nan|null|none|nil|k.a.|k. a.|s.o.|nd|#value!|#wert!|#div/0!|#ref!|#bezug!|#null!|#num!|#zahl!|#name?'.split(
    '|',
  ),
)

/** Whether a cell says that there is no value. */
export const isGap = (text) => GAPS.has(text.trim().toLowerCase())

const CURRENCY = /^(?:[$€£¥]|(?:USD|EUR|GBP|CHF|JPY)\b)\s*|\s*(?:[$€£¥]|\b(?:USD|EUR|GBP|CHF|JPY))$/i
/** Numbers with separators between groups of three digits; a grouped number does not begin with 0. */
const GROUPED = {
  point:
    /^(?:\d+|[1-9]\d{0,2}(?:,\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f'’]\d{3})+)?(?:\.\d*)?(?:e[+-]?\d+)?$/i,
  comma:
    /^(?:\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f'’]\d{3})+)?(?:,\d*)?(?:e[+-]?\d+)?$/i,
}

/**
 * The number in a cell, which may have thousands separators, a currency, a percent sign (`20%` is 0.2) or brackets for minus;
 * NaN for other texts. `mark`: the decimal separator, 'point' or 'comma'.
 */
export function numberIn(text, mark = 'point') {
  // Most cells have only digits and at most one decimal separator.
  const usual = mark === 'point' ? text : text.includes('.') ? '' : text.replace(',', '.')
  if (isNumber(usual)) return Number(usual)
  let rest = text.trim()
  const isBracketed = /^\(.*\)$/s.test(rest)
  if (isBracketed) rest = rest.slice(1, -1).trim()
  const isPercent = rest.endsWith('%')
  if (isPercent) rest = rest.slice(0, -1).trim()
  rest = rest.replace(CURRENCY, '').replace('−', '-')
  const [, before, digits, behind] = rest.match(/^([+-]?)\s*(.*?)(-?)$/s)
  if (!/\d/.test(digits) || !GROUPED[mark].test(digits.replace(CURRENCY, ''))) return Number.NaN
  const plain = digits.replace(CURRENCY, '').replace(mark === 'point' ? /[,\s'’]/g : /[.\s'’]/g, '')
  const value = Number(mark === 'point' ? plain : plain.replace(',', '.'))
  const isNegative = [before === '-', behind === '-', isBracketed].filter(Boolean).length % 2 === 1
  const signed = isNegative ? -value : value
  return isPercent ? hundredth(signed) : signed
}

/** The text of a number of a JSON or XLSX file. `1.234` becomes `1.2340`, because its point must not be read as a separator. */
export const textOfNumber = (value) =>
  String(value).replace(/^-?[1-9]\d{0,2}\.\d{3}(?=e|$)/, (ambiguous) => `${ambiguous}0`)

const MONTHS = [
  'jan',
  'feb fev',
  'mar mrz maer',
  'apr avr',
  'may mai',
  'jun juin',
  'jul juil',
  'aug aou',
  'sep',
  'oct okt',
  'nov',
  'dec dez',
].map((names) => names.split(' '))

const TIME = /(?:[T ,]+(\d{1,2})[:h](\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([ap]m)?\s*(?:Z|UTC|[+-]00:?00)?)?$/
  .source
const DATES = {
  year: new RegExp(`^(\\d{4})[-/.](\\d{1,2})(?:[-/.](\\d{1,2}))?${TIME}`, 'i'),
  compact: new RegExp(`^(\\d{4})(\\d{2})(\\d{2})${TIME}`, 'i'),
  numbers: new RegExp(`^(\\d{1,2})[./-](\\d{1,2})[./-](\\d{4}|\\d{2})${TIME}`, 'i'),
  dayName: new RegExp(`^(\\d{1,2})\\.?[\\s-]*([a-zäéû]{3,})[.\\s,-]*(\\d{4}|\\d{2})${TIME}`, 'i'),
  monthName: new RegExp(`^([a-zäéû]{3,})[.\\s]*(\\d{1,2}),?\\s*(\\d{4})${TIME}`, 'i'),
}

/**
 * The time in a cell as milliseconds since 1970 in UTC; NaN for other texts. `order`: whether the 'day' or the 'month' comes
 * first in `01/02/2024`.
 */
export function dateIn(text, order = 'day', isCompact = false) {
  const cell = text.trim()
  const [kind, found] =
    Object.entries(DATES)
      .filter(([name]) => isCompact || name !== 'compact')
      .map(([name, pattern]) => [name, cell.match(pattern)])
      .find(([, match]) => match !== null) ?? []
  if (found === undefined) return Number.NaN
  const [, a, b, c, ...time] = found
  if (kind === 'year' || kind === 'compact') return timeOf(a, b, c ?? 1, time)
  if (kind === 'dayName') return timeOf(c, monthOf(b), a, time)
  if (kind === 'monthName') return timeOf(c, monthOf(a), b, time)
  return order === 'day' ? timeOf(c, b, a, time) : timeOf(c, a, b, time)
}

/** The number of a month by its English, German or French name; 0 for other texts. */
function monthOf(name) {
  const plain = name.toLowerCase().replace('ä', 'ae').normalize('NFD').replace(/\p{M}/gu, '')
  return MONTHS.findIndex((starts) => starts.some((start) => plain.startsWith(start))) + 1
}

function timeOf(year, month, day, [hour = 0, minute = 0, second = 0, half]) {
  const full = Number(year) + (String(year).length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900)
  const late =
    half === undefined ? 0 : (half.toLowerCase() === 'pm' ? 12 : 0) - (Number(hour) === 12 ? 12 : 0)
  const made = new Date(Date.UTC(full, month - 1, day, Number(hour) + late, minute, second))
  const isReal = made.getUTCMonth() === month - 1 && made.getUTCDate() <= 31 && Number(day) >= 1
  return isReal && Number(hour) < 24 && Number(minute) < 60 ? made.getTime() : Number.NaN
}
