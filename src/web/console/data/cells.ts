/** Reads cells as people write them: numbers, dates, durations, and marks of missing values. */
// @ts-nocheck: to be converted
import { MINUTE_MS } from '../../../base/time.ts'
import { hundredth, isNumber } from '../numbers.ts'

const GAPS = new Set(
  '|-|–|—|.|?|n/a|n.a.|nan|null|k.a.|k. a.|s.o.|-nan|nan(ind)|-nan(ind)|1.#ind|-1.#ind|1.#qnan|-1.#qnan|1.#snan|1.#inf|-1.#inf'.split(
    '|',
  ),
)
/** Errors of spreadsheets and of their feeds of market data: `#N/A`, `#VALUE!`, `#N/A N/A`, `#GETTING_DATA`. */
const ERROR = /^#(n\/?[av]( .*)?|(getting|requesting)[_ ]data.*|[\p{L}\d/]+[!?])$/iu
const LONGEST_GAP = 40
/** Marks of missing numbers that are also codes and names: ND is the class without default, NA a country. */
const WORDS = new Set('na|none|nil|nd|n.d.'.split('|'))

/** Whether a cell has nothing that can be seen. */
export const isBlank = (text) => text === '' || /^[\s\u200b-\u200d\u2060\ufeff]*$/.test(text)

/** Whether a cell says that there is no value, in a column of any type. */
export function isGap(text) {
  const cell = text.trim()
  if (cell.length > LONGEST_GAP) return false
  return GAPS.has(cell.toLowerCase()) || (cell.startsWith('#') && ERROR.test(cell))
}

/** Whether a cell says that there is no number. */
export const isNumberGap = (text) => isGap(text) || WORDS.has(text.trim().toLowerCase())

const CODES =
  'USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|CNY|CNH|HKD|SGD|INR|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|CZK|HUF|RUB|TRY|KRW|TWD|THB|IDR|MYR|PHP|ILS|AED|SAR'
const SYMBOLS = '(?:US|CA|AU|NZ|HK|NT|MX|[ACRS])?\\$|[€£¥₹₩₽₺₪₫₦฿₴₱]|Rs\\.?|SFr\\.?|Fr\\.|kr\\.?|zł|Kč'
const CURRENCY = new RegExp(
  `^(?:${SYMBOLS}|(?:${CODES})(?![A-Z]))\\s*|\\s*(?:${SYMBOLS}|(?<![A-Z])(?:${CODES}))$`,
  'i',
)
const SPACES = " \\u00a0\\u2009\\u202f'’"
/** Numbers with separators between groups; a grouped number does not begin with 0. India groups by lakh: `12,34,567`. */
const grouped = (separator, decimal, more = '') =>
  new RegExp(
    `^(?:\\d+|[1-9]\\d{0,2}(?:${separator}\\d{3})+|[1-9]\\d{0,2}(?:[${SPACES}]\\d{3})+${more})?(?:${decimal}\\d*)?(?:e[+-]?\\d+)?$`,
    'i',
  )
const GROUPED = {
  point: grouped(',', '\\.', '|[1-9]\\d?(?:,\\d{2})+,\\d{3}'),
  comma: grouped('\\.', ','),
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

const TIME =
  /(?:[T ,]+(\d{1,2})[:h](\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([ap]m)?\s*(?:Z|UTC|GMT|([+-]\d{2}):?(\d{2})?)?)?$/
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

function timeOf(year, month, day, [hour = 0, minute = 0, second = 0, half, offset = 0, offsetMinutes = 0]) {
  const full = Number(year) + (String(year).length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900)
  const late =
    half === undefined ? 0 : (half.toLowerCase() === 'pm' ? 12 : 0) - (Number(hour) === 12 ? 12 : 0)
  const made = new Date(Date.UTC(full, month - 1, day, Number(hour) + late, minute, second))
  const isReal = made.getUTCMonth() === month - 1 && made.getUTCDate() <= 31 && Number(day) >= 1
  const east = Math.abs(offset) * 60 + Number(offsetMinutes)
  const ahead = String(offset).startsWith('-') ? -east : east
  return isReal && Number(hour) < 24 && Number(minute) < 60 ? made.getTime() - ahead * MINUTE_MS : Number.NaN
}

/** Days of the units of durations, by their first letters in English, German and French. */
const UNITS = [
  [/^(d|days?|tagen?|j|jours?)$/, 1],
  [/^(w|wks?|weeks?|wochen?|sem|semaines?)$/, 7],
  [/^(m|mo|mths?|months?|monaten?|mois)$/, 365 / 12],
  [/^(y|yrs?|years?|jahren?|ans?|années?)$/, 365],
]

/** The years of 365 days in a duration such as `30d`, `6M`, `1 year` or `P1Y6M`; NaN for other texts. */
export function durationIn(text) {
  const cell = text
    .trim()
    .toLowerCase()
    .replace(/^p(?=\d)/, '')
  if (!/^(\d+(?:[.,]\d+)?\s*\p{L}+\s*)+$/u.test(cell)) return Number.NaN
  let days = 0
  for (const [, count, word] of cell.matchAll(/(\d+(?:[.,]\d+)?)\s*(\p{L}+)/gu)) {
    const [, length = Number.NaN] = UNITS.find(([pattern]) => pattern.test(word)) ?? []
    days += Number(count.replace(',', '.')) * length
  }
  return days / 365
}
