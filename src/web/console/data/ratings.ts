/** Ratings from best to worst, and the counts of their moves. */

import { extent } from '../pictures/sampling.ts'
import { dateText } from '../times.ts'
import { withDates } from './column-types.ts'
import { plain } from './headings.ts'
import { type Column, cellOf, isDate, isNumeric, keptRows, type Only, type Table, wordsIn } from './table.ts'
import { areShares } from './units.ts'

export const MOST_RATINGS = 200
/** The most ratings with marks. */
const MOST_MARKED = 1_000
const LONGEST_MARKED = 40

const SCALES = [
  'AAA AA+ AA AA- A+ A A- BBB+ BBB BBB- BB+ BB BB- B+ B B- CCC+ CCC CCC- CC C RD SD D',
  'Aaa Aa1 Aa2 Aa3 Aa A1 A2 A3 A Baa1 Baa2 Baa3 Baa Ba1 Ba2 Ba3 Ba B1 B2 B3 B Caa1 Caa2 Caa3 Caa Ca C D',
  `AAA ${['AA', 'A', 'BBB', 'BB', 'B', 'CCC', 'CC', 'C'].map((one) => `${one}_(high) ${one} ${one}_(low)`).join(' ')} SD D`,
].map((scale) => scale.split(' ').map((rating) => rating.replace('_', ' ')))
const WITHDRAWN =
  /^(nr|wr|wd|n r|w r|nr wr|wr nr|unrated|not rated|(rating )?withdrawn|withdrawals?|ohne rating|non note|retires?|retrait)$/
const SUMS =
  /^(totals?|sum|summe|gesamt|insgesamt|somme|ensemble|all|alle|n|(number of )?(issuers|obligors|firms|observations)|count|anzahl)$/
const DEFAULTED = /^(d|default|defaulted|ausfall|defaut|sd|rd)$/

interface RatingOrder {
  /** From best to worst, without withdrawn ratings. */
  readonly order: readonly string[]
  /** Whether it is that of a known scale. */
  readonly isKnown: boolean
  /** The number of ratings of default at the end, if it is not that of a known scale. */
  readonly last: number
  readonly hasDefault: boolean
}

/** Whether ratings are single letters with C among them: grades from A on, of which D is one, rather than default. */
const areLetters = (words: readonly string[]): boolean =>
  words.includes('C') && words.every((word) => /^[A-Z]$/.test(word))

/** The order of a known scale, else of numbers or letters. */
export function ratingOrder(words: readonly string[]): RatingOrder {
  const shown = words.filter((word) => !WITHDRAWN.test(plain(word)))
  const grades = shown.filter((word) => word === 'D' || !isDefault(word))
  if (areLetters(grades)) {
    const ends = shown.filter((word) => !grades.includes(word))
    const order = [...grades.toSorted(), ...ends]
    return { order, isKnown: false, last: ends.length, hasDefault: ends.length > 0 }
  }
  const scale = SCALES.find((one) => shown.every((word) => one.includes(word)))
  if (scale !== undefined) {
    const order = scale.filter((word) => shown.includes(word))
    return { order, isKnown: true, last: 0, hasDefault: isDefault(order.at(-1) ?? '') }
  }
  const isNumber = shown.every((word) => Number.isFinite(Number(word)) || isDefault(word))
  const order = [...shown].sort(
    (a, b) =>
      Number(isDefault(a)) - Number(isDefault(b)) ||
      (isNumber ? Number(a) - Number(b) : a.localeCompare(b, 'en')),
  )
  const last = order.filter(isDefault).length
  return { order, isKnown: false, last, hasDefault: last > 0 }
}

/** Whether a rating is one of default. */
export const isDefault = (word: string): boolean => DEFAULTED.test(plain(word))

/** Whether most words of a column are ratings of a known scale. */
export const isOfRatings = ({ words }: Pick<Column, 'words'>): boolean =>
  words !== null && areRatings(words.slice(0, MOST_RATINGS))

const isOfScale = (word: string) => SCALES.some((scale) => scale.includes(word))

/** Whether a word is a rating of a known scale, or says that there is none. */
export const isRating = (word: string): boolean => isOfScale(word) || isWithdrawn(word)

/** Whether most of these words are ratings of a known scale. */
export function areRatings(words: readonly string[]): boolean {
  const known = words.filter(isOfScale)
  return known.length > 1 && known.length >= 0.6 * words.length
}

/** What agencies write around a rating without changing it: that it is provisional, structured or watched, and its outlook. */
const MARKS =
  /^\((?:p|exp)\)\s*|\s*(?:\*[+-]?|\((?:sf|p|exp)\)|(?<=[\w+-])(?:u|pi|sf)|[/ (]+(?:stable|negative|positive|developing|evolving|(?:credit ?)?watch.*|stab|neg|pos|rw[npe])\)?)$/i

/** A column of ratings without such marks, if all its words are ratings of known scales then; else the column itself. */
export function bareRatings(column: Column): Column {
  const { words, values } = column
  if (words === null || words.length > MOST_MARKED || words.some(({ length }) => length > LONGEST_MARKED))
    return column
  const bare = words.map((word) => word.replace(MARKS, '').replace(MARKS, ''))
  if (!areRatings(bare) || !bare.every(isRating) || bare.every((word, i) => word === words[i])) return column
  const own = [...new Set(bare)]
  const places = bare.map((word) => own.indexOf(word))
  return { ...column, words: own, values: values.map((place) => places[place] ?? Number.NaN) }
}

/** Whether a heading says that its column has ratings, not how many. */
export const isHeadingOfRatings = (heading: string): boolean =>
  /\b(rating|grade\b|note\b|notation|rtg)|bonitat/.test(plain(heading)) &&
  !/\b(counts?|cnt|numbers?|anzahl|nombre)\b/.test(plain(heading))

/** Two ratings of two scales, if a column has such: it has several agencies, and no move leads from one scale to another. */
export function ofTwoScales(words: readonly string[]): readonly [string, string] | null {
  for (const [i, scale] of SCALES.entries())
    for (const other of SCALES.slice(i + 1)) {
      const first = words.find((word) => scale.includes(word) && !other.includes(word))
      const second = words.find((word) => other.includes(word) && !scale.includes(word))
      if (first !== undefined && second !== undefined) return [first, second]
    }
  return null
}

/** Whether the heading of a column in a matrix is that of sums, or of ratings that were withdrawn. */
export const isNoRating = (heading: string): boolean => SUMS.test(plain(heading)) || isWithdrawn(heading)
export const isWithdrawn = (heading: string): boolean => WITHDRAWN.test(plain(heading))

/** The place of a row that a matrix lacks: that of its last rating, which is never left. */
export const NO_ROW = -1

/**
 * The rows of a matrix of counts: those that have the names of its columns, in the order of the columns, else all; NO_ROW for the
 * last one if only it is missing. Null if the matrix would not be square. `used`: its columns; `names`: the column that names its rows, or -1.
 */
export function countedRows(
  { rows, columns }: Table,
  { used, names }: { readonly used: readonly number[]; readonly names: number },
): number[] | null {
  const all = Array.from({ length: Math.min(rows, 2 * MOST_RATINGS) }, (_, row) => row)
  const named = names === -1 ? [] : all.map((row) => String(cellOf(columns[names], row)))
  const found = used.map((i) => named.indexOf(columns[i].name))
  const isLacking = found.indexOf(NO_ROW) === found.length - 1
  if (found.length > 1 && (isLacking || !found.includes(NO_ROW)) && new Set(named).size === rows) return found
  if (used.length === rows) return all
  return used.length === rows + 1 && rows > 1 ? [...all, NO_ROW] : null
}

/**
 * The open questions of a matrix of ratings: whether a rating without a row is left, how withdrawn ratings and empty cells count, and
 * whether the moves are from the ratings of the columns, which alone have the sum 1.
 */
export function openOfMatrix({ columns, rows }: Table, used: readonly number[], counted: readonly number[]) {
  const withdrawn = columns.findIndex(
    (column) => isNumeric(column) && isWithdrawn(column.name) && column.values.some((value) => value > 0),
  )
  const lists = used.map((i) => Array.from(columns[i].values, (value) => value || 0))
  const isWhole = (values: readonly number[]) => areShares({ values })
  const across = Array.from({ length: rows }, (_, row) => lists.map((list) => list[row]))
  // Where the other cells have the sum 1, the empty ones are certainly 0.
  const isFull = (list: readonly number[], row: number) =>
    isWhole([...list, columns[withdrawn]?.values[row] || 0])
  const empty = across.every(isFull) ? 0 : used.reduce((sum, i) => sum + columns[i].gaps, 0)
  return {
    ...(counted.includes(NO_ROW) && { absorbing: true as const }),
    ...(withdrawn !== -1 && { withdrawn }),
    ...(empty > 0 && { empty }),
    ...(used.length === rows && lists.every(isWhole) && !across.every(isWhole) && { across: true as const }),
  }
}

/** The ratings before and after each move, and how many moves each stands for; absent: one. */
interface Moves {
  readonly from: readonly string[]
  readonly to: readonly string[]
  readonly weights?: Float64Array | undefined
}

/** Counts the moves between ratings; `outside`: the number of those with a rating not in `order`. */
export function countedMoves(
  { from, to, weights }: Moves,
  order: readonly string[],
): { values: Float64Array<ArrayBuffer>; outside: number } {
  const places = new Map(order.map((word, place) => [word, place]))
  const values = new Float64Array(order.length ** 2)
  let outside = 0
  for (let row = 0; row < from.length; row++) {
    const at = places.get(from[row])
    const end = places.get(to[row])
    const count = weights?.[row] ?? 1
    if (at === undefined || end === undefined) outside += count
    else values[at * order.length + end] += count
  }
  return { values, outside }
}

/** The first and last time of a rating history, as the texts of its fields; none if its column is not known. */
export function windowOf(
  table: Table,
  { fields, only }: { readonly fields: Readonly<Record<string, number>>; readonly only: readonly Only[] },
): Readonly<Record<string, string>> {
  const column: Column | undefined = keptRows(table, only).columns[fields.dates]
  if (column === undefined || column.values.every(Number.isNaN)) return {}
  const dates = withDates(column)
  const [start, end] = extent(dates.values).map((time) =>
    isDate(dates) ? dateText(time).slice(0, 10) : String(time),
  )
  return { start, end }
}

/** The different ratings of columns. */
export const ratingsIn = (columns: readonly Column[]): string[] => [
  ...new Set(columns.flatMap((column) => wordsIn(column, MOST_RATINGS))),
]
