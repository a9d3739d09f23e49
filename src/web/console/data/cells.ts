/** Reads cells as people write them: numbers, dates, durations, and marks of missing values. */
import { MINUTE_MS } from '../../../base/time.ts'
import { hundredth, isNumber } from '../numbers.ts'

const GAPS = new Set(
  '|-|–|—|.|?|n/a|n.a.|nan|null|k.a.|k. a.|s.o.|-nan|nan(ind)|-nan(ind)|1.#ind|-1.#ind|1.#qnan|-1.#qnan|1.#snan|1.#inf|-1.#inf'.split(
    '|',
  ),
)
/** Errors of spreadsheets and of their feeds of market data: `#N/A`, `#VALUE!`, `#N/A N/A`, `#GETTING_DATA`. */
const ERROR = /^#(n\/?[av]( .*)?|(getting|requesting)[_ ]data.*|[\p{L}\d/]+[!?])$/iu
/** Missing values of Stata and SAS with a reason: `.a`, `.Z`. */
const LETTERED = /^\.[a-z_]$/i
const LONGEST_GAP = 40
/** Marks of missing numbers that are also codes and names: ND is the class without default, NA a country. */
const WORDS = new Set('na|none|nil|nd|n.d.'.split('|'))

/** Whether a cell has nothing that can be seen. */
export const isBlank = (text: string): boolean => text === '' || /^[\s\u200b-\u200d\u2060\ufeff]*$/.test(text)

/** Whether a cell says that there is no value, in a column of any type. */
export function isGap(text: string): boolean {
  const cell = text.trim()
  if (cell.length > LONGEST_GAP) return false
  return GAPS.has(cell.toLowerCase()) || LETTERED.test(cell) || (cell.startsWith('#') && ERROR.test(cell))
}

/** Whether a cell says that there is no number. */
export const isNumberGap = (text: string): boolean => isGap(text) || WORDS.has(text.trim().toLowerCase())

const CODES =
  'USD|EUR|GBP|CHF|JPY|CAD|AUD|NZD|CNY|CNH|HKD|SGD|INR|BRL|MXN|ZAR|SEK|NOK|DKK|PLN|CZK|HUF|RUB|TRY|KRW|TWD|THB|IDR|MYR|PHP|ILS|AED|SAR'
const SYMBOLS = '(?:US|CA|AU|NZ|HK|NT|MX|[ACRS])?\\$|[€£¥₹₩₽₺₪₫₦฿₴₱]|Rs\\.?|SFr\\.?|Fr\\.|kr\\.?|zł|Kč'
const CURRENCY = new RegExp(
  `^(?:${SYMBOLS}|(?:${CODES})(?![A-Z]))\\s*|\\s*(?:${SYMBOLS}|(?<![A-Z])(?:${CODES}))$`,
  'i',
)
const SPACES = " \\u00a0\\u2009\\u202f'’"
/** Numbers with separators between groups; a grouped number does not begin with 0 and has no exponent. India groups by lakh: `12,34,567`. */
const grouped = (separator: string, decimal: string, more = '') =>
  new RegExp(
    `^(?:(?:[1-9]\\d{0,2}(?:${separator}\\d{3})+|[1-9]\\d{0,2}(?:[${SPACES}]\\d{3})+${more})(?:${decimal}\\d*)?|\\d*(?:${decimal}\\d*)?(?:e[+-]?\\d+)?)$`,
    'i',
  )
const GROUPED = {
  point: grouped(',', '\\.', '|[1-9]\\d?(?:,\\d{2})+,\\d{3}'),
  comma: grouped('\\.', ','),
}

/** Longer texts are no numbers with separators, and take long to be refused. */
const LONGEST_NUMBER = 100
const POINTS = /^(.*\d)\s*(?:bps?|basis points)$/i

/** The decimal separator. */
export type Mark = 'point' | 'comma'

/**
 * The number in a cell, which may have thousands separators, a currency, a percent sign (`20%` is 0.2) or brackets for minus;
 * NaN for other texts. `mark`: the decimal separator, 'point' or 'comma'.
 */
export function numberIn(text: string, mark: Mark = 'point'): number {
  // Most cells have only digits and at most one decimal separator.
  const usual = mark === 'point' ? text : text.includes('.') ? '' : text.replace(',', '.')
  if (isNumber(usual)) return Number(usual)
  let rest = text.trim()
  if (rest.length > LONGEST_NUMBER) return Number.NaN
  const isBracketed = /^\(.*\)$/s.test(rest)
  if (isBracketed) rest = rest.slice(1, -1).trim()
  const isPercent = rest.endsWith('%')
  if (isPercent) rest = rest.slice(0, -1).trim()
  const points = POINTS.exec(rest)?.[1]
  if (points !== undefined) return hundredth(hundredth(numberIn(points, mark)))
  rest = rest.replace(CURRENCY, '').replace('−', '-')
  const [, before, digits, behind] = rest.match(/^([+-]?)\s*(.*?)(-?)$/s)!
  if (!/\d/.test(digits) || !GROUPED[mark].test(digits.replace(CURRENCY, ''))) return Number.NaN
  const plain = digits.replace(CURRENCY, '').replace(mark === 'point' ? /[,\s'’]/g : /[.\s'’]/g, '')
  const value = Number(mark === 'point' ? plain : plain.replace(',', '.'))
  const isNegative = [before === '-', behind === '-', isBracketed].filter(Boolean).length % 2 === 1
  const signed = isNegative ? -value : value
  return isPercent ? hundredth(signed) : signed
}

/** The text of a number of a JSON or XLSX file. `1.234` becomes `1.2340`, because its point must not be read as a separator. */
export const textOfNumber = (value: number): string =>
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
/** The name of the day before a date: `Fri Jan 15 2027`. */
const WEEKDAY = /^(?:mon|tues?|wed(?:nes|s)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?[.,]?\s+/i
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
export function dateIn(text: string, order: 'day' | 'month' = 'day', isCompact = false): number {
  const cell = text.trim().replace(WEEKDAY, '')
  const kind = (Object.keys(DATES) as (keyof typeof DATES)[]).find(
    (name) => (isCompact || name !== 'compact') && DATES[name].test(cell),
  )
  if (kind === undefined) return Number.NaN
  const [, a, b, c, ...time] = cell.match(DATES[kind])!
  if (kind === 'year' || kind === 'compact') return timeOf(a, b, c ?? '1', time)
  if (kind === 'dayName') return timeOf(c, monthOf(b), a, time)
  if (kind === 'monthName') return timeOf(c, monthOf(a), b, time)
  return order === 'day' ? timeOf(c, b, a, time) : timeOf(c, a, b, time)
}

/** The number of a month by its English, German or French name; 0 for other texts. */
export function monthOf(name: string): number {
  const plain = name.toLowerCase().replace('ä', 'ae').normalize('NFD').replace(/\p{M}/gu, '')
  return MONTHS.findIndex((starts) => starts.some((start) => plain.startsWith(start))) + 1
}

function timeOf(
  year: string,
  month: string | number,
  day: string,
  [hour, minute, second, half, offset = '+0', offsetMinutes]: readonly (string | undefined)[],
): number {
  const numberOf = (text: string | undefined) => Number(text ?? 0)
  const full = Number(year) + (year.length > 2 ? 0 : Number(year) < 70 ? 2000 : 1900)
  const late =
    half === undefined ? 0 : (half.toLowerCase() === 'pm' ? 12 : 0) - (Number(hour) === 12 ? 12 : 0)
  const place = Number(month) - 1
  const made = new Date(
    Date.UTC(full, place, Number(day), numberOf(hour) + late, numberOf(minute), numberOf(second)),
  )
  const isReal = made.getUTCMonth() === place && made.getUTCDate() <= 31 && Number(day) >= 1
  const east = Math.abs(Number(offset)) * 60 + numberOf(offsetMinutes)
  const ahead = offset.startsWith('-') ? -east : east
  if (!isReal || numberOf(hour) >= 24 || numberOf(minute) >= 60) return Number.NaN
  return made.getTime() - ahead * MINUTE_MS
}
