/** Reads the numbers that people enter in fields, in the unit of the field: `20%`, `0,2`, `30d`, `2027-06-18`, `1/12`. */
import { DAY_MS } from '../../base/time.ts'
import { hundredth, isNumber, numberFrom, plural, short } from './numbers.ts'
import { dateText, durationIn, today } from './times.ts'

export interface Entered {
  /** The number, or the text itself if it is none, so that the service reports the fault. */
  readonly value: number | string
  /** How the text was read, or why it was not; null for a plain number. */
  readonly note: string | null
  /** Another text that may be meant, because the number is unusual in the unit of the field. */
  readonly instead?: string
}

export interface EnteredField {
  readonly name: string
  readonly type?: string | undefined
  /** Whether a volatility is an amount, not a rate. */
  readonly isAmount?: boolean
}

/** Fields of rates, and the largest size at which a number is usual as a decimal. */
const RATES: Readonly<Record<string, number>> = {
  volatility: 3,
  sigma: 3,
  risk_free_rate: 1,
  r: 1,
  dividend_yield: 1,
  q: 1,
  contamination: 1,
  confidence: 1,
}
const TIMES = ['time_to_maturity', 'T']
/** From so many years on, days may be meant. */
const LONG_YEARS = 30

/** Whether the volatility of these entries is in the unit of the forward price: that of the Bachelier model. */
export const isOfAmounts = ({ model }: Readonly<Record<string, string>>): boolean => model === 'bachelier'

export function entered({ name: given, type, isAmount = false }: EnteredField, text: string): Entered {
  const name = isAmount && given === 'volatility' ? '' : given
  const isWhole = type === 'integer'
  const plain = numberFrom(text, isWhole)
  if (typeof plain === 'number') return { value: plain, note: null, ...unusual(name, plain) }
  const isDated = TIMES.includes(name)
  const found = isWhole ? null : (isDated && timeIn(plain)) || rateIn(name, plain) || numberIn(plain)
  if (found === null) return { value: plain, note: null }
  return Number.isFinite(found.value) ? found : { ...found, value: plain }
}

/** What may be meant by an unusual number: a volatility of 20 is 2,000 %. */
function unusual(name: string, value: number): Pick<Entered, 'note' | 'instead'> | null {
  const most = RATES[name]
  if (most !== undefined && Math.abs(value) > most)
    return { note: `${short(value)} is ${short(value * 100)} %.`, instead: `${value}%` }
  if (TIMES.includes(name) && value >= LONG_YEARS)
    return { note: `${short(value)} is ${plural(value, 'year')}.`, instead: `${value}d` }
  return null
}

interface Found {
  /** NaN: the text can be read in two ways. */
  readonly value: number
  readonly note: string
}

/** The years in a duration, or from today to a date. */
function timeIn(text: string): Found | null {
  const years = durationIn(text)
  if (!Number.isNaN(years)) return { value: years, note: `${short(years)} years` }
  const days = daysIn(text)
  if (days.length === 0) return null
  if (days.length > 1) return twice(text, days.map(dateText))
  const count = (days[0] - Date.parse(today())) / DAY_MS
  return {
    value: count / 365,
    note: `${dateText(days[0])}, ${plural(count, 'day')} from today: ${short(count / 365)} years`,
  }
}

const MONTHS = 'janfebmaraprmayjunjulaugsepoctnovdec'

/** The days that a date may mean, in milliseconds since 1970; `05/06/2027` may mean two. */
function daysIn(text: string): number[] {
  const [, year, month, day] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  if (year !== undefined) return realDays([[year, month, day]])
  const [, a, sign, b, last] = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})$/.exec(text) ?? []
  if (last !== undefined)
    return realDays([[last, b, a], ...(sign === '.' || a === b ? [] : [[last, a, b] as const])])
  const [, before = '', name = '', after = '', end = ''] =
    /^(\d{1,2})?[\s-]*([a-z]{3})[a-z]*[\s-]*(\d{1,2})?[,\s-]+(\d{4})$/i.exec(text) ?? []
  const place = MONTHS.indexOf(name.toLowerCase())
  const isOne = (before === '') !== (after === '')
  return name === '' || place % 3 !== 0 || !isOne
    ? []
    : realDays([[end, String(place / 3 + 1), before || after]])
}

const realDays = (dates: readonly (readonly [year: string, month: string, day: string])[]): number[] =>
  dates.flatMap(([year, month, day]) => {
    const time = Date.UTC(Number(year), Number(month) - 1, Number(day))
    return new Date(time).getUTCMonth() === Number(month) - 1 ? [time] : []
  })

/** The decimal in a text of per cent or basis points. */
function rateIn(name: string, text: string): Found | null {
  const [, digits, unit] = /^(.*?)\s*(%|bps?)$/i.exec(text) ?? []
  if (unit === undefined || !(name in RATES)) return null
  const found = isNumber(digits) ? { value: Number(digits) } : numberIn(digits)
  if (found === null || Number.isNaN(found.value)) return found as Found | null
  const value = unit === '%' ? hundredth(found.value) : hundredth(hundredth(found.value))
  return { value, note: `read as ${short(value)}` }
}

/** The number in a text with a decimal comma, thousands separators or a currency, or in a fraction. */
function numberIn(text: string): Found | null {
  const bare = text
    .replace(/^[$€£¥]\s*|\s*[$€£¥]$/g, '')
    .replace('−', '-')
    .replace(/(?<=\d)[\s'’](?=\d{3}\b)/g, '')
  const [above, below] = bare.split(/\s*\/\s*/)
  const marks = bare.replace(/[^.,]/g, '')
  const value = isNumber(bare)
    ? Number(bare)
    : isNumber(above) && isNumber(below ?? '') && bare.split('/').length === 2
      ? Number(above) / Number(below)
      : separated(bare, marks)
  if (Number.isNaN(value)) return null
  const isEither = /^[+-]?[1-9]\d{0,2},\d{3}$/.test(bare)
  if (isEither) return twice(text, [bare.replace(',', '.'), bare.replace(',', '')])
  return { value, note: `read as ${short(value)}` }
}

/** The number in a text whose separators are those of decimals or of thousands; NaN for another text. */
function separated(text: string, marks: string): number {
  const last = marks.at(-1) ?? ''
  const isDecimal = marks.indexOf(last) === marks.length - 1
  const group = isDecimal ? (last === ',' ? '.' : ',') : last
  const pattern = isDecimal
    ? new RegExp(`^[+-]?(\\d*|[1-9]\\d{0,2}(\\${group}\\d{3})+)\\${last}\\d+$`)
    : new RegExp(`^[+-]?[1-9]\\d{0,2}(\\${group}\\d{3})+$`)
  if (last === '' || !pattern.test(text)) return Number.NaN
  return Number(text.replaceAll(group, '').replace(',', '.'))
}

const twice = (text: string, readings: readonly string[]): Found => ({
  value: Number.NaN,
  note: `“${text}” may be ${readings.join(' or ')}: write it that way.`,
})
