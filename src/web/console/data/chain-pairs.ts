/** The calls and puts of an option chain that have the same strike and expiry. */
import { extent } from '../pictures/sampling.ts'
import { isHeadingOf, plain, quoteSide } from './headings.ts'
import { fieldsOf, underlyingIn } from './mapping.ts'
import { quotesIn } from './mid-prices.ts'
import type { Pair } from './parity.ts'
import { isNumeric, type Table, wordsIn } from './table.ts'
import { isStrike, isTime } from './units.ts'
import { type Ask, type Meant, valuesOfField } from './values.ts'

/** The most rows in which pairs are looked for, which takes some tenths of a second. */
const MOST_ROWS = 100_000
/** Expiries a second apart are one. */
const YEARS_DIGITS = 7

/** The spot and the years to maturity of all rows; undefined: those of a column, if there is one. */
interface Common {
  readonly spot?: number | undefined
  readonly maturity?: number | undefined
}

/**
 * Those with a price each; none where strikes, times, types or prices are not certain, or where options have several underlyings.
 * @param common what is the same in all rows
 */
export function pairsIn(meant: Meant, { spot, maturity }: Common = {}): Pair[] {
  const { spec, table, mapping } = meant
  if (table.rows > MOST_ROWS) return []
  const asks: Ask[] = []
  const valuesIn = (field?: string) => valuesOfField(meant, field, asks)
  const strikes = valuesIn(fieldsOf(spec).find(isStrike))
  const years =
    valuesIn(fieldsOf(spec).find(isTime)) ??
    (maturity === undefined ? null : new Float64Array(table.rows).fill(maturity))
  const types = valuesIn('option_type')
  const prices = pricesIn(meant)
  const choices = spec.choices?.option_type
  if (strikes === null || years === null || types === null || prices === null || asks.length > 0) return []
  const spots = spot === undefined ? (valuesIn('spot') ?? valuesIn('S')) : null
  const forwards = valuesIn('forward')
  const days = table.columns[mapping.days]
  const isOneDay = days === undefined || wordsIn(days, 1).length === 1
  if (hasSeveralUnderlyings(table) || (spots === null && forwards === null && !isOneDay)) return []
  const found = new Map<string, number[][]>()
  for (let row = 0; row < table.rows; row++) {
    const side = choices?.indexOf('call') === types[row] ? 0 : choices?.indexOf('put') === types[row] ? 1 : -1
    if (side === -1 || !(prices.values[row] > 0)) continue
    const key = `${years[row].toFixed(YEARS_DIGITS)} ${strikes[row]}`
    const sides = found.get(key) ?? [[], []]
    found.set(key, sides)
    sides[side].push(row)
  }
  return [...found.values()].flatMap(([calls, puts]): Pair[] => {
    const [call, put] = [calls[0], puts[0]]
    // Several quotes of one contract, as of weekly and monthly series, have each their own terms.
    if (calls.length !== 1 || puts.length !== 1) return []
    return [
      {
        strike: strikes[call],
        years: Number(years[call].toFixed(YEARS_DIGITS)),
        gap: prices.values[call] - prices.values[put],
        room: prices.room === null ? null : prices.room(call) + prices.room(put),
        spot: spot ?? spots?.[call] ?? null,
        forward: forwards?.[call] ?? null,
      },
    ]
  })
}

const NAMES = /\b(symbol|ticker|root|underlying|product|asset|coin|stock|security|contract|instrument|name)\b/

/** Whether the names of underlyings, or of contracts, begin with different words. Weekly contracts have a W behind the name. */
const hasSeveralUnderlyings = ({ columns }: Table): boolean =>
  columns.some(({ name, words }) => {
    if (words === null || !(NAMES.test(plain(name)) || isHeadingOf('spot', name))) return false
    const roots = words.map((word) => word.split(/[\s\d_-]/, 1)[0].replace(/W$/, ''))
    return new Set(roots).size > 1
  })

interface Prices {
  readonly values: Float64Array
  /** Half of the distance between bid and ask; null: they are not known. */
  readonly room: ((row: number) => number) | null
}

/** The column of prices: that of the mapping, else of the mid prices, else the only one of prices. */
export function pricesIn({ table, mapping }: Meant): Prices | null {
  const { columns } = table
  const numbers = columns.filter((column) => isNumeric(column))
  const all = numbers.filter(({ name }) => isHeadingOf('price', name))
  const column =
    columns[mapping.fields.price] ?? quotesIn(numbers, 'mid')[0] ?? (all.length === 1 ? all[0] : undefined)
  if (column === undefined) return null
  const [[bid], [ask]] = [quotesIn(numbers, 'bid'), quotesIn(numbers, 'ask')]
  const isMid = quoteSide(column.name) === 'mid'
  const spots = mapping.units.price === 'underlying' ? underlyingIn(table)?.values : undefined
  const scale = (row: number) => spots?.[row] ?? 1
  return {
    values: column.values.map((value, row) => value * scale(row)),
    // The last digits of bid and ask are rounded.
    room:
      isMid && bid && ask
        ? (row) => scale(row) * ((ask.values[row] - bid.values[row]) / 2 + ROUNDING * ask.values[row])
        : null,
  }
}

const ROUNDING = 1e-4

/** Tells numbers that may be the price of the underlying of these strikes. */
export function isLikelySpot(strikes: Float64Array): (value: number) => boolean {
  const [least, most] = extent(strikes)
  return (value) => value > least / 2 && value < most * 2
}
