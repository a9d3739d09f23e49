/** The types of columns, guessed from their first cells; and the periods that tables have as headings. */
import { DAY_MS } from '../../../base/time.ts'
import { hundredth } from '../numbers.ts'
import { dateText, durationIn } from '../times.ts'
import { dateIn, isGap, isNumberGap, type Mark, monthOf, numberIn } from './cells.ts'
import { plain } from './headings.ts'
import type { Column, ColumnType, Doubt } from './table.ts'

/** For each type, its label and `read(cell)`: a number, milliseconds since 1970, years, or NaN for a cell of another type. */
export const types: Readonly<Record<ColumnType, { label: string; read: (cell: string) => number }>> = {
  number: { label: 'number', read: (cell) => numberIn(cell, 'point') },
  comma: { label: 'number 1,5', read: (cell) => numberIn(cell, 'comma') },
  percent: { label: 'per cent', read: (cell) => percentIn(cell, 'point') },
  'percent comma': { label: 'per cent 1,5', read: (cell) => percentIn(cell, 'comma') },
  day: { label: 'date', read: (cell) => dateIn(cell, 'day', true) },
  month: { label: 'date m/d', read: (cell) => dateIn(cell, 'month', true) },
  serial: { label: 'date as a number', read: (cell) => serialDate(numberIn(cell)) },
  duration: { label: 'duration', read: durationIn },
  text: { label: 'text', read: () => Number.NaN },
}

/** The number in a cell, which is in per cent without the sign too. */
const percentIn = (cell: string, mark: Mark) =>
  cell.includes('%') ? numberIn(cell, mark) : hundredth(numberIn(cell, mark))

const EPOCH_1900 = -25_569
/** Numbers of days, seconds, and their thousandths, are told by their size. */
const CLOCKS = [
  { below: 1e6, start: EPOCH_1900, ms: DAY_MS },
  { below: 1e11, start: 0, ms: 1e3 },
  { below: 1e14, start: 0, ms: 1 },
  { below: 1e17, start: 0, ms: 1e-3 },
  { below: 1e20, start: 0, ms: 1e-6 },
]
const [FIRST_SERIAL, LAST_SERIAL] = [Date.UTC(1990, 0), Date.UTC(2100, 0)]

/** The date that spreadsheets number by days since 1900, or that counts from 1970 in seconds or parts of them; NaN for others. */
function serialDate(value: number): number {
  const { start, ms } = CLOCKS.find(({ below }) => value < below) ?? { start: 0, ms: Number.NaN }
  const time = Math.round((value + start) * ms)
  return time >= FIRST_SERIAL && time < LAST_SERIAL ? time : Number.NaN
}

/** Headings below which whole numbers may be dates, and those below which only large ones may. */
const OF_DATES =
  /(date|datum|expiry|expiration|maturity|verfall|verfallstag|echeance|vencimento)$|^(date|dt)( |$)| dt$/
const OF_TIMES = /(time|timestamp|unix|epoch|utc)$|^(time|timestamp|ts)( |$)/
const LEAST_CLOCK = 1e8

/** The least share of its cells that a column's type must read; the person is told of the other cells. */
const MOST = 0.8

interface JudgedType {
  readonly type: ColumnType
  /** null: each cell can be read in one way. */
  readonly doubt: Doubt | null
}

/**
 * The type of each column.
 * @param columns cells of each column, without its heading
 * @param separator of the file; only if it is not the comma, a comma in a cell may be the decimal separator
 */
export function typesOf(
  columns: readonly (readonly string[])[],
  names: readonly string[],
  separator: string | null,
): JudgedType[] {
  const filled = columns.map((cells) => cells.map((cell) => cell.trim()).filter((cell) => !isNumberGap(cell)))
  const marks = filled.map(markOf)
  const known = [...new Set(marks)].filter((mark) => mark !== null)
  const ofFile = known.length === 1 ? known[0] : null
  return filled.map((cells, i) => {
    const mark =
      marks[i] ??
      ofFile ??
      (separator !== ',' && cells.some((cell) => /\d,\d/.test(cell)) ? 'comma' : 'point')
    return typeOf(cells, names[i] ?? '', mark, marks[i] ?? ofFile)
  })
}

const MARKS: readonly Mark[] = ['point', 'comma']
const ORDERS = ['day', 'month'] as const

/** The decimal separator with which more cells are numbers, or null if neither is better. */
function markOf(cells: readonly string[]): Mark | null {
  let [points, commas] = [0, 0]
  for (const cell of cells) {
    const [asPoint, asComma] = MARKS.map((mark) => Number.isFinite(numberIn(cell, mark)))
    if (asPoint && !asComma) points++
    if (asComma && !asPoint) commas++
  }
  if (points === commas) return null
  return points > commas ? 'point' : 'comma'
}

function typeOf(cells: readonly string[], name: string, mark: Mark, evidence: Mark | null): JudgedType {
  const shareOf = (read: (cell: string) => number) =>
    cells.filter((cell) => Number.isFinite(read(cell))).length / cells.length
  if (cells.length === 0 || isCode(cells)) return { type: 'text', doubt: null }
  const heading = plain(name)
  const isOfDates = OF_DATES.test(heading)
  const isCompact =
    (isOfDates || /dat|day|jour|tag\b/i.test(name)) &&
    cells.every((cell) => /^((19|20)\d{6}|99991231)$/.test(cell))
  const isSerial = (cell: string) =>
    /^\d+$/.test(cell) &&
    types.serial.read(cell) > 0 &&
    (isOfDates || (OF_TIMES.test(heading) && Number(cell) > LEAST_CLOCK))
  if (!isCompact && cells.every(isSerial)) return { type: 'serial', doubt: null }
  if (!isCompact && shareOf((cell) => numberIn(cell, mark)) >= MOST) {
    const isBoth = (cell: string) =>
      numberIn(cell, 'point') !== numberIn(cell, 'comma') && !Number.isNaN(numberIn(cell, 'comma'))
    const odd =
      evidence === null && cells.find((cell) => Number.isFinite(numberIn(cell, mark)) && isBoth(cell))
    const marks: readonly Mark[] = mark === 'comma' ? ['comma', 'point'] : MARKS
    const names = marks.map((one): ColumnType => (one === 'comma' ? 'comma' : 'number'))
    const doubt = odd ? { cell: odd, readings: marks.map((one) => numberIn(odd, one)), types: names } : null
    return { type: names[0], doubt }
  }
  // Without a day, week or year, `5M` may be five million.
  if (shareOf(durationIn) >= MOST && cells.some((cell) => !/\dm$/i.test(cell)))
    return { type: 'duration', doubt: null }
  const [byDay, byMonth] = ORDERS.map((order) => shareOf((cell) => dateIn(cell, order, isCompact)))
  if (Math.max(byDay, byMonth) < MOST) return { type: 'text', doubt: null }
  if (byDay !== byMonth) return { type: byDay > byMonth ? 'day' : 'month', doubt: null }
  const odd = cells.find(
    (cell) =>
      dateIn(cell, 'day') !== dateIn(cell, 'month') && !cell.includes('.') && !Number.isNaN(dateIn(cell)),
  )
  if (!odd) return { type: 'day', doubt: null }
  const orders = mark === 'point' ? ORDERS.toReversed() : ORDERS
  const readings = orders.map((order) => dateText(dateIn(odd, order)))
  return { type: orders[0], doubt: { cell: odd, readings, types: orders } }
}

/** Whether the cells are codes: digits that a number would change, because of leading zeros or a value above 2⁵³. */
const isCode = (cells: readonly string[]): boolean =>
  cells.every((cell) => /^\d+$/.test(cell)) && cells.some((cell) => String(Number(cell)) !== cell)

export const isDay = (cell: string): boolean => ORDERS.some((type) => Number.isFinite(types[type].read(cell)))

/** Whether a cell is a number or a date. */
export const isValue = (cell: string): boolean =>
  MARKS.some((mark) => Number.isFinite(numberIn(cell, mark))) || isDay(cell)

/** Half-years and quarters by their letters in English, German and French. */
const PARTS: readonly (readonly [letters: string, count: number])[] = [
  ['(?:H|HY|HJ|S|SEM|HALBJAHR|SEMESTRE)', 2],
  ['(?:Q|QTR|T|QUARTAL|TRIMESTRE)', 4],
]
/** As in 2020H1, FY20Q3; H1 2020, Q3'20; 1H2020, 1. Hj. 2020, 3Q20. */
const FORMS = PARTS.map(([letters, count]) => ({
  count,
  forms: [
    `(?:(?:FY)?(?<year>(?:19|20)\\d\\d)|FY(?<short>\\d\\d))[-_/ ]?${letters}[. ]?(?<part>[1-${count}])`,
    `${letters}[. ]?(?<part>[1-${count}])(?:[-_/ ]?(?<year>(?:19|20)\\d\\d)|[-_/ '’](?<short>\\d\\d))`,
    `(?<part>[1-${count}])[. ]*${letters}[-_/. '’]*(?:(?<year>(?:19|20)\\d\\d)|(?<short>\\d\\d))`,
  ].map((form) => new RegExp(`^${form}$`, 'i')),
}))

/** As in 2020M03, 03/2020; Mar-20, März 2020. */
const MONTHS = [
  /^(?<year>(?:19|20)\d\d)M(?<part>0?[1-9]|1[0-2])$/i,
  /^(?<part>0?[1-9]|1[0-2])[/.-](?<year>(?:19|20)\d\d)$/,
  /^(?<name>[a-zäéû]{3,9})[-. '’]*(?:(?<year>(?:19|20)\d\d)|(?<short>\d\d))$/i,
]

/** The year, the day, or the last day of the half-year, quarter or month that a text names; an empty text: it names none. */
export function periodIn(text: string): string {
  if (/^(19|20)\d\d$/.test(text) || isDay(text)) return text
  for (const { count, forms } of FORMS)
    for (const form of forms) {
      const { year, short, part } = form.exec(text)?.groups ?? {}
      if (part === undefined) continue
      return lastDay(year ?? `20${short}`, (Number(part) * 12) / count)
    }
  for (const form of MONTHS) {
    const { year, short, part, name = '' } = form.exec(text)?.groups ?? {}
    const month = part === undefined ? monthOf(name) : Number(part)
    if (month > 0) return lastDay(year ?? `20${short}`, month)
  }
  return ''
}

const lastDay = (year: string, month: number): string => dateText(Date.UTC(Number(year), month, 0))

/** Whether a column has only the names of years, quarters or months as words, such as `FY20Q1`. */
export const isOfPeriods = ({ words }: Pick<Column, 'words'>): boolean =>
  words !== null && words.length > 1 && words.every((word) => periodIn(word) !== '')

/** A column of periods as one of their last days; other columns as they are. */
export const withDates = (column: Column): Column =>
  isOfPeriods(column)
    ? {
        ...column,
        type: 'day',
        words: null,
        values: column.values.map((place) => Date.parse(periodIn(column.words?.[place] ?? ''))),
      }
    : column

/** Cells of another type that are kept for each column; further ones are only counted. */
const MOST_ODD = 100

/** A number without a percent sign. */
export interface Bare {
  readonly text: string
  readonly value: number
}

type Collected = Omit<Column, 'name' | 'doubt'> & { readonly bare: Bare | null }

interface Collector {
  readonly take: (cell: string, row: number) => void
  readonly end: () => Collected
}

/** The values of a column of the type, with what could not be read. */
export function collected(
  rows: readonly { readonly cells: readonly string[] }[],
  i: number,
  type: ColumnType,
): Collected {
  const { take, end } = type === 'text' ? collectWords() : collectNumbers(type)
  for (const [row, { cells }] of rows.entries()) take(cells[i] ?? '', row)
  return end()
}

function collectNumbers(type: ColumnType): Collector {
  const { read } = types[type]
  const values: number[] = []
  const odd: Column['odd'][number][] = []
  let [gaps, oddCount, isPercent] = [0, 0, false]
  let bare: Bare | null = null
  return {
    take: (cell, row) => {
      const value = read(cell)
      const isRead = Number.isFinite(value)
      values.push(isRead ? value : Number.NaN)
      if (isRead) {
        if (/%|\d ?(bps?|basis points)$/i.test(cell)) isPercent = true
        else if (value !== 0) bare ??= { text: cell, value }
      } else if (isNumberGap(cell)) gaps++
      else if (++oddCount <= MOST_ODD) odd.push({ row, text: cell })
    },
    end: () => ({
      type,
      values: new Float64Array(values),
      words: null,
      gaps,
      odd,
      oddCount,
      isPercent,
      bare,
    }),
  }
}

function collectWords(): Collector {
  const values: number[] = []
  const places = new Map<string, number>()
  let gaps = 0
  return {
    take: (word) => {
      if (isGap(word)) {
        gaps++
        values.push(Number.NaN)
        return
      }
      const place = places.get(word) ?? places.size
      places.set(word, place)
      values.push(place)
    },
    end: () => ({
      type: 'text',
      values: new Float64Array(values),
      words: [...places.keys()],
      gaps,
      odd: [],
      oddCount: 0,
      isPercent: false,
      bare: null,
    }),
  }
}
