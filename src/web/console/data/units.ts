/** Units of rates and times in files, where they are proven, and their conversion to the units of requests. */
import { DAY_MS } from '../../../base/time.ts'
import { hundredth } from '../numbers.ts'
import { extent } from '../pictures/sampling.ts'
import { type Column, isDate, isNumeric, type Table } from './table.ts'

type Numbers = Float64Array<ArrayBuffer>
export type Unit =
  | 'years'
  | 'days'
  | 'months'
  | 'date'
  | 'decimal'
  | 'percent'
  | 'basis points'
  | 'sum'
  | 'as written'
  | 'thousandths'
  | 'underlying'

interface UnitRule {
  readonly label: string
  /** The label of the answer that it is this unit. */
  readonly answer: string
  /** The numbers in the unit of the request; dates are converted by inUnit. */
  readonly convert?: (values: Numbers) => Numbers
}

const UNITS: Readonly<Record<Unit, UnitRule>> = {
  years: { label: 'in years', answer: 'Years' },
  days: { label: 'in days, ÷ 365', answer: 'Days', convert: (values) => values.map((value) => value / 365) },
  months: {
    label: 'in months, ÷ 12',
    answer: 'Months',
    convert: (values) => values.map((value) => value / 12),
  },
  date: { label: 'dates; years of 365 days from a day', answer: 'Dates' },
  decimal: { label: '0.05 is 5 %', answer: 'Decimals' },
  percent: { label: '5 is 5 %', answer: 'Per cent', convert: (values) => values.map(hundredth) },
  'basis points': {
    label: '5 is 5 basis points',
    answer: 'Basis points',
    convert: (values) => values.map((value) => hundredth(hundredth(value))),
  },
  'as written': { label: 'as written', answer: 'As written' },
  thousandths: {
    label: '÷ 1,000',
    answer: 'Divide by 1,000',
    convert: (values) => values.map((value) => value / 1000),
  },
  underlying: { label: '× price of the underlying', answer: 'In the underlying' },
  sum: {
    label: 'counts, divided by their sum',
    answer: 'Divide by the sum',
    convert: (values) => {
      const sum = sumOf(values)
      return values.map((value) => value / sum)
    },
  },
}

const BASIS_POINTS = /\b(bps?|basis points?|basispunkten?|points? de base)\b/i
/** Headings that name a unit. */
const NAMED = {
  years: /\b(years?|yrs?|jahre?n?|ann[ée]es?)\b/i,
  days: /\b(days?|dte|tagen?|jours?|resttage)\b/i,
  months: /\b(months?|monaten?|mois)\b/i,
  percent: /%|\b(pct|per ?cent|percentage|prozent|pourcent(age)?)\b/i,
  'basis points': BASIS_POINTS,
} satisfies Partial<Record<Unit, RegExp>>

const namedBy = (unit: Unit): RegExp | undefined => (NAMED as Partial<Record<Unit, RegExp>>)[unit]

interface RateRule {
  readonly most: number
  readonly units: readonly Unit[]
}

const TIMES = ['time_to_maturity', 'T', 'dates']
const TIME_UNITS: readonly Unit[] = ['years', 'days', 'months']
const RATE_UNITS: readonly Unit[] = ['decimal', 'percent', 'basis points']
const VOLATILITY: RateRule = { most: 3, units: ['decimal', 'percent'] }
const RATE: RateRule = { most: 0.2, units: RATE_UNITS }
/** Fields of rates: their units, and the largest number of which it is certain that it is written as a decimal. */
const RATES: Readonly<Record<string, RateRule>> = {
  risk_free_rate: RATE,
  r: RATE,
  dividend_yield: RATE,
  q: RATE,
  volatility: VOLATILITY,
  sigma: VOLATILITY,
  implied_volatility: VOLATILITY,
  y_prob: { most: 1, units: RATE_UNITS },
}

export const isTime = (field: string): boolean => TIMES.includes(field)
export const isVolatility = (field: string): boolean => RATES[field] === VOLATILITY
/** Whether a field is in units of money, not a rate. */
export const isAmount = (field: string): boolean =>
  ['spot', 'S', 'forward', 'strike', 'K', 'price', 'wealth'].includes(field)

export const isStrike = (field: string): boolean => field === 'strike' || field === 'K'

/** The most that an option costs in units of its underlying. */
const MOST_COINS = 2

/** Whether prices may be in units of the underlying, as exchanges of cryptocurrencies write them. */
const mayBeOfUnderlying = ({ values }: Column): boolean =>
  values.every((value) => Number.isNaN(value) || (value >= 0 && value <= MOST_COINS))

/** The largest price of a chain as a share of the underlying, below which its unit is doubtful. */
const LEAST_SHARE = 5e-4

/** Whether prices are so far below the underlying that they may be in its units. */
export const areLikeCoins = (column: Column, { values }: Column): boolean =>
  mayBeOfUnderlying(column) && extent(column.values)[1] < LEAST_SHARE * extent(values)[0]

/** Whether strikes may be thousandths: all are whole, and from half a unit on. Names of contracts define the unit of theirs. */
const mayBeThousandths = ({ values, madeOf }: Column): boolean =>
  madeOf === undefined &&
  values.every((value) => Number.isNaN(value) || (value >= 500 && Number.isInteger(value)))

/** Databases of options keep strikes in thousandths: whole ones are multiples of 500 from 5,000 on. */
export const areLikeThousandths = ({ values }: Column): boolean =>
  values.every((value) => Number.isNaN(value) || (value >= 5000 && value % 500 === 0))

/** The words of a heading, which programs write together: `daysToExpiry`. */
const spaced = (heading: string): string => heading.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, '$1 $2')

/** Whether a heading says that its numbers are basis points, or per cent. */
export const isInBasisPoints = (heading: string): boolean => BASIS_POINTS.test(spaced(heading))
export const isInPercent = (heading: string): boolean => NAMED.percent.test(spaced(heading))

/** The units that a column can have; the first is that of requests. */
export function unitsOf(field: string, column: Column): ({ name: Unit } & UnitRule)[] {
  const named = (names: readonly Unit[]) => names.map((name) => ({ name, ...UNITS[name] }))
  if (field === 'dates') return isNumeric(column) ? named(TIME_UNITS) : []
  if (isTime(field)) return named(isDate(column) ? ['date'] : TIME_UNITS)
  if (isDate(column)) return []
  if (field in RATES) return named(RATES[field].units)
  if (isStrike(field) && mayBeThousandths(column)) return named(['as written', 'thousandths'])
  if (field === 'price' && mayBeOfUnderlying(column)) return named(['as written', 'underlying'])
  return field === 'probabilities' ? named(['decimal', 'percent', 'sum']) : []
}

/** The units of a column in which its numbers may be those of the field: probabilities do not exceed 1, and shares have the sum 1. */
export const possibleUnits = (field: string, column: Column) =>
  unitsOf(field, column).filter(({ name }) => {
    const values = inUnit(column.values, name)
    if (field === 'probabilities') return Math.abs(sumOf(values) - 1) <= 1e-6
    return field !== 'y_prob' || mostOf({ values }) <= 1
  })

/**
 * The unit of a column where the cells prove it, else null: that of requests if all numbers are usual in it and the heading names
 * no other one; another one if the heading names it and the numbers are not usual in that of requests.
 */
export function provenUnit(field: string, column: Column): Unit | null {
  const names = unitsOf(field, column).map(({ name }) => name)
  if (names.length === 1) return names[0]
  if (field === 'probabilities') return unitOfSum(column)
  if (column.type === 'duration') return 'years'
  if (isStrike(field) || field === 'price') return null
  if (column.isPercent) return 'decimal'
  const [usual] = names
  if (mostOf(column) === 0 || possibleUnits(field, column).length === 0) return usual
  const named = names.filter((name) => namedBy(name)?.test(spaced(column.name)))
  if (named.length > 1) return null
  if (isUsual(field, column)) return named.length === 0 || named[0] === usual ? usual : null
  const [unit = null] = named
  return unit !== null && (unit === usual || isUsual(field, { values: inUnit(column.values, unit) }))
    ? unit
    : null
}

/** The largest absolute value of a column. */
function mostOf({ values }: Pick<Column, 'values'>): number {
  const [least, most] = extent(values)
  return Math.max(Math.abs(least), Math.abs(most))
}

/** Whether the numbers of a column in the unit of requests are usual. Whole numbers above 5 may be days, and volatilities of 1 to 3 per cent. */
function isUsual(field: string, column: Pick<Column, 'values'>): boolean {
  const most = mostOf(column)
  const { values } = column
  if (isVolatility(field)) return most <= VOLATILITY.most && extent(values)[0] < 1
  if (field in RATES) return most <= RATES[field].most
  if (field === 'dates' && isOfYears(values)) return true
  return most <= 5 || (most <= 60 && values.some((value) => value % 1 !== 0 && !Number.isNaN(value)))
}

/** Whether the times of a history are years of the calendar. */
const isOfYears = (values: Numbers): boolean =>
  values.every((value) => Number.isNaN(value) || (value >= 1900 && value < 2200))

function unitOfSum({ values }: Column): Unit | null {
  const sum = sumOf(values)
  if (Math.abs(sum - 1) <= 1e-6) return 'decimal'
  return Math.abs(sum - 100) <= 1e-4 ? 'percent' : null
}

/**
 * The numbers in the unit of the request. `at`: the day from which the date of a row counts, in milliseconds since 1970, or the
 * price of its underlying.
 */
export function inUnit(
  values: Numbers,
  unit: Unit | null | undefined,
  at: (row: number) => number = () => Number.NaN,
): Numbers {
  if (unit === 'date') return values.map((time, row) => (time - at(row)) / DAY_MS / 365)
  if (unit === 'underlying') return values.map((value, row) => value * at(row))
  return (unit ? UNITS[unit].convert?.(values) : undefined) ?? values
}

export function sumOf(values: Iterable<number>): number {
  let sum = 0
  for (const value of values) if (!Number.isNaN(value)) sum += value
  return sum
}

/** Whether the numbers of a column may be those of a field: volumes are no volatilities, and shares no amounts. */
export function mayBe(field: string, { name, values, isPercent }: Column): boolean {
  const [least, most] = extent(values)
  // Feeds write 0 for quotes that they do not have.
  if ((field === 'price' || isVolatility(field)) && most === 0) return false
  if (isVolatility(field)) return least >= 0 && most <= MOST_VOLATILITY
  return !(isPercent || isInPercent(name)) || !isAmount(field)
}

/** In per cent. */
const MOST_VOLATILITY = 1_000

/** Whether values may be probabilities, also in per cent or in named basis points; the points of a score usually exceed 100. */
export function mayBeProbabilities({ name, values }: Column) {
  const [least, most] = extent(values)
  return least >= 0 && most <= (isInBasisPoints(name) ? 10_000 : 100)
}

/** The most bins of a distribution, and how far the sum of rounded shares is from 1. */
const MOST_BINS = 100
const ROUNDED = 0.01
const RANGE = /^[([]?\s*(-?\d[\d.]*)\s*(?:-|–|—|\.\.|,|;|to|bis|à)\s*(-?\d[\d.]*)\s*[)\]]?$/

/** Whether most words are ranges of numbers, each above the one before it. */
function areRanges({ words }: Column): boolean {
  const ranges = (words ?? []).flatMap((word) => {
    const [, least, most] = RANGE.exec(word) ?? []
    return least === undefined ? [] : [{ least: Number(least), most: Number(most) }]
  })
  const isNext = ({ least, most }: (typeof ranges)[number], i: number) =>
    most > least && (i === 0 || least >= ranges[i - 1].least)
  return ranges.length > 1 && 2 * ranges.length > (words?.length ?? 0) && ranges.every(isNext)
}

/** Whether numbers have the sum 1 or 100, but for their rounding. */
export function areShares({ values }: { readonly values: Iterable<number> }): boolean {
  const sum = sumOf(values)
  return [1, 100].some((whole) => Math.abs(sum / whole - 1) < ROUNDED)
}

/**
 * Whether two columns of numbers are shares or counts of two samples in bins, not scores: each has the sum 1 or 100, or the bins
 * are named by their bounds.
 */
export function areBins(
  numbers: readonly Column[],
  { columns, rows }: Pick<Table, 'columns' | 'rows'>,
): boolean {
  if (rows > MOST_BINS || numbers.some(({ values }) => values.some((value) => value < 0))) return false
  return numbers.every(areShares) || columns.some(areRanges)
}
