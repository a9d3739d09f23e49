/** Units of rates and times in files, and their conversion to the units of requests. */
// @ts-nocheck: to be converted
import { DAY_MS } from '../../../base/time.ts'
import { hundredth } from '../numbers.ts'
import { extent } from '../pictures/sampling.ts'
import { isDate } from './column-types.ts'

/** `divisor(values)`: the number by which the values of a column are divided; dates and percentages have another conversion. */
const UNITS = {
  years: { label: 'in years', divisor: () => 1 },
  days: { label: 'in days, ÷ 365', divisor: () => 365 },
  months: { label: 'in months, ÷ 12', divisor: () => 12 },
  date: { label: 'dates; years of 365 days from a day' },
  decimal: { label: '0.05 is 5 %', divisor: () => 1 },
  percent: { label: '5 is 5 %' },
  sum: { label: 'counts, divided by their sum', divisor: (values) => sumOf(values) },
}
const TIMES = ['time_to_maturity', 'T']
/** Fields of rates. A column with a larger number than this is in percent, otherwise in decimals. */
const RATES = {
  risk_free_rate: 0.5,
  r: 0.5,
  dividend_yield: 0.5,
  q: 0.5,
  volatility: 3,
  sigma: 3,
  implied_volatility: 3,
  y_prob: 1,
}
/** The same for a column whose heading says percent, where other fields have 0: a volatility below 1 % is unlikely. */
const LEAST_PERCENT = { volatility: 1, sigma: 1, implied_volatility: 1 }

/** `{ name, label }` of the units that a column can have; the usual one is the first. */
export function unitsOf(field, column) {
  const named = (names) => names.map((name) => ({ name, label: UNITS[name].label }))
  if (TIMES.includes(field)) return named(isDate(column) ? ['date'] : ['years', 'days', 'months'])
  if (isDate(column)) return []
  if (field in RATES) return named(['decimal', 'percent'])
  return field === 'probabilities' ? named(['decimal', 'percent', 'sum']) : []
}

/** The most likely unit of a column, by its heading and by the size of its numbers. */
export function unitGuess(field, column) {
  const words = column.name.toLowerCase()
  const most = extent(column.values)[1]
  if (TIMES.includes(field)) {
    if (isDate(column)) return 'date'
    if (/\b(days?|dte|tage|jours?|resttage)\b/.test(words)) return 'days'
    if (/\b(months?|monate?|mois)\b/.test(words)) return 'months'
    return most > 60 || (most > 5 && column.values.every((value) => value % 1 === 0 || Number.isNaN(value)))
      ? 'days'
      : 'years'
  }
  const isPercent = /%|\bpct\b|percent|prozent|pourcent/i.test(column.name)
  if (field === 'probabilities') {
    const sum = sumOf(column.values)
    if (Math.abs(sum - 1) <= 1e-6) return 'decimal'
    return Math.abs(sum - 100) <= 1e-4 ? 'percent' : 'sum'
  }
  if (column.isPercent) return 'decimal'
  return most > (isPercent ? (LEAST_PERCENT[field] ?? 0) : RATES[field]) ? 'percent' : 'decimal'
}

/** The numbers in the unit of the request. `day`: the day from which dates count, in milliseconds since 1970. */
export function inUnit(values, unit, day) {
  if (unit === undefined) return values
  if (unit === 'date') return values.map((time) => (time - day) / DAY_MS / 365)
  if (unit === 'percent') return values.map(hundredth)
  const divisor = UNITS[unit].divisor(values)
  return divisor === 1 ? values : values.map((value) => value / divisor)
}

const sumOf = (values) => values.reduce((sum, value) => sum + (Number.isNaN(value) ? 0 : value), 0)
