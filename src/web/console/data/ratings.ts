/** Ratings from best to worst, and the counts of their moves. */
import { plain } from './headings.ts'
import { type Column, cellOf, type Table, wordsIn } from './table.ts'

export const MOST_RATINGS = 200

const SCALES = [
  'AAA AA+ AA AA- A+ A A- BBB+ BBB BBB- BB+ BB BB- B+ B B- CCC+ CCC CCC- CC C RD SD D',
  'Aaa Aa1 Aa2 Aa3 Aa A1 A2 A3 A Baa1 Baa2 Baa3 Baa Ba1 Ba2 Ba3 Ba B1 B2 B3 B Caa1 Caa2 Caa3 Caa Ca C D',
].map((scale) => scale.split(' '))
const WITHDRAWN = /^(nr|wr|wd|n r|not rated|withdrawn|ohne rating|non note)$/
const SUMS = /^(totals?|sum|summe|gesamt|insgesamt|somme|ensemble|all|alle)$/
const DEFAULTED = /^(d|default|defaulted|ausfall|defaut|sd|rd)$/

interface RatingOrder {
  /** From best to worst, without withdrawn ratings. */
  readonly order: readonly string[]
  /** Whether it is that of a known scale. */
  readonly isKnown: boolean
  /** The number of ratings of default at the end. */
  readonly last: number
}

/** The order of a known scale, else of numbers or letters. */
export function ratingOrder(words: readonly string[]): RatingOrder {
  const shown = words.filter((word) => !WITHDRAWN.test(plain(word)))
  const scale = SCALES.find((one) => shown.every((word) => one.includes(word)))
  if (scale !== undefined)
    return { order: scale.filter((word) => shown.includes(word)), isKnown: true, last: 0 }
  const isNumber = shown.every((word) => Number.isFinite(Number(word)) || DEFAULTED.test(plain(word)))
  const isDefault = (word: string) => Number(DEFAULTED.test(plain(word)))
  const order = [...shown].sort(
    (a, b) => isDefault(a) - isDefault(b) || (isNumber ? Number(a) - Number(b) : a.localeCompare(b, 'en')),
  )
  return { order, isKnown: false, last: order.filter((word) => isDefault(word) === 1).length }
}

/** Whether the heading of a column in a matrix is that of sums, or of ratings that were withdrawn. */
export const isNoRating = (heading: string): boolean =>
  SUMS.test(plain(heading)) || WITHDRAWN.test(plain(heading))

/**
 * The rows of a matrix of counts: those that have the names of its columns, in the order of the columns, else all. Null if the
 * matrix would not be square. `used`: its columns; `names`: the column that names its rows, or -1.
 */
export function countedRows(
  { rows, columns }: Table,
  { used, names }: { readonly used: readonly number[]; readonly names: number },
): number[] | null {
  const all = Array.from({ length: Math.min(rows, 2 * MOST_RATINGS) }, (_, row) => row)
  const named = names === -1 ? [] : all.map((row) => String(cellOf(columns[names], row)))
  const found = used.map((i) => named.indexOf(columns[i].name))
  if (found.length > 0 && !found.includes(-1) && new Set(named).size === rows) return found
  return used.length === rows ? all : null
}

/** Counts the moves from the ratings `from` to `to` of each row; `outside`: the number of rows with a rating not in `order`. */
export function countedMoves(
  from: readonly string[],
  to: readonly string[],
  order: readonly string[],
): { values: Float64Array<ArrayBuffer>; outside: number } {
  const places = new Map(order.map((word, place) => [word, place]))
  const values = new Float64Array(order.length ** 2)
  let outside = 0
  for (let row = 0; row < from.length; row++) {
    const at = places.get(from[row])
    const end = places.get(to[row])
    if (at === undefined || end === undefined) outside++
    else values[at * order.length + end]++
  }
  return { values, outside }
}

/** The different ratings of columns. */
export const ratingsIn = (columns: readonly Column[]): string[] => [
  ...new Set(columns.flatMap((column) => wordsIn(column, MOST_RATINGS))),
]
