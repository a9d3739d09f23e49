/**
 * Makes long tables of wide ones where that is certain: a row for each call and put that stand side by side, and for each rating
 * of one column a year. Other tables stay as they are in the file.
 */
import { durationIn } from '../times.ts'
import { isGap, isNumberGap, numberIn, textOfNumber } from './cells.ts'
import { isDay, isValue, periodIn } from './column-types.ts'
import { isHeadingOf, namesRows, plain } from './headings.ts'
import { areRatings, isDefault, isHeadingOfRatings, isRating } from './ratings.ts'

export interface Long {
  readonly names: readonly string[]
  /** How the table was made, in words. */
  readonly made: string
  /** The column from which the last ones were read, and their number. */
  readonly added?: { readonly from: string; readonly count: number }
  /** The rows that a row of the wide table makes. */
  rowsOf(cells: readonly string[]): string[][]
}

/** The observations of a file, its headings, and the rows above these. */
export interface Wide {
  readonly names: readonly string[]
  readonly above: readonly (readonly string[])[]
  readonly rows: readonly (readonly string[])[]
}

/** Wider tables are those of measurements. */
export const MOST_COLUMNS = 500
const JUDGED = 200

export function longOf(wide: Wide): Long | null {
  if (wide.names.length > MOST_COLUMNS) return null
  const long = callsAndPuts(wide) ?? ratingsByYear(wide) ?? volatilityGrid(wide)
  const judged = wide.rows.slice(0, JUDGED)
  return withContracts(long?.names ?? wide.names, long ? judged.flatMap(long.rowsOf) : judged, long) ?? long
}

/** Whether a heading is that of a price or volatility of options. */
const isQuote = (name: string) => isHeadingOf('price', name) || isHeadingOf('volatility', name)
/** A column K may hold anything. */
const isOfStrikes = (name: string) => isHeadingOf('strike', name) && plain(name) !== 'k'

const SIDES = [/^(calls?|c)\b *| *\bcalls?$/, /^(puts?|p)\b *| *\bputs?$/]
const sideOf = (name: string) => SIDES.findIndex((side) => side.test(plain(name)))

/** Columns of calls and of puts are told by these words, or by their order if cells say which type is on the left. */
function callsAndPuts({ names, above, rows }: Wide): Long | null {
  const areNamed = ['call', 'put'].every((side) =>
    names.some((name) => plain(name).split(' ').includes(side)),
  )
  if (!names.some((name) => isOfStrikes(name) || (areNamed && plain(name) === 'k'))) return null
  const left = sideOnLeft([...above, names])
  const baseOf = (name: string) => plain(name).replace(SIDES[sideOf(name)] ?? '', '')
  const byBase = Map.groupBy(names.keys(), (i) => `${sideOf(names[i]) === -1} ${baseOf(names[i])}`)
  const pairs = [...byBase.values()].flatMap((places) => {
    const [side, other] = places.map((i) => sideOf(names[i]))
    const first = side === -1 ? left : side
    if (places.length !== 2 || first === -1 || (side === other && side !== -1)) return []
    const bare = () => (places.every((i) => areNumbers(rows, i)) ? 'Option price' : 'Contract')
    const name = side === -1 ? names[places[0]] : baseOf(names[places[0]]) || bare()
    return [{ name, places: first === 0 ? places : places.toReversed() }]
  })
  const paired = new Set(pairs.flatMap(({ places }) => places))
  const isFilled = (i: number) => rows.some((row) => (row[i] ?? '') !== '')
  const shared = [...names.keys()].filter((i) => !paired.has(i) && isFilled(i))
  // A quote of one type only, or a column of types, would be in the rows of the other type too.
  const isOfOne = (name: string) => sideOf(name) !== -1 || isHeadingOf('option_type', name) || isQuote(name)
  // One pair may be anything, unless its headings name calls and puts.
  const isNamed = pairs.every(({ places: [place] }) => sideOf(names[place]) !== -1)
  const isChain = (pairs.length > 1 || isNamed) && pairs.some(({ name }) => isQuote(name))
  if (!isChain || shared.some((i) => isOfOne(names[i]))) return null
  return {
    names: [...shared.map((i) => names[i]), 'Option type', ...pairs.map(({ name }) => name)],
    made: 'a row for each call and put',
    rowsOf: (cells) =>
      ['Call', 'Put'].map((type, side) => [
        ...shared.map((i) => cells[i] ?? ''),
        type,
        ...pairs.map(({ places }) => cells[places[side]] ?? ''),
      ]),
  }
}

const areNumbers = (rows: Wide['rows'], i: number): boolean => {
  const cells = rows.slice(0, JUDGED).map((row) => row[i] ?? '')
  return cells.some(isValue) && cells.every((cell) => isValue(cell) || isNumberGap(cell))
}

/** The type on the left if a row has cells that say only calls before those that say only puts, or the reverse; else -1. */
function sideOnLeft(rows: readonly (readonly string[])[]): number {
  const typeIn = (cell: string) => /^(call|put)s?( options)?$/.exec(plain(cell))?.[1] ?? []
  const orders = rows.map((row) => [...new Set(row.flatMap(typeIn))].join(' '))
  return ['call put', 'put call'].findIndex((order) => orders.includes(order))
}

/** At least three columns of ratings of a known scale, below years or dates, beside names only. */
function ratingsByYear({ names, rows }: Wide): Long | null {
  const times = names.map(timeIn)
  const places = [...names.keys()].filter((i) => times[i] !== '')
  if (places.length < 3 || new Set(places.map((i) => times[i])).size < places.length) return null
  const found = places.map((i) => wordsOf(rows.slice(0, JUDGED), i))
  const areMost = (words: readonly string[]) => words.filter(isRating).length >= 0.6 * words.length
  const areGrades = places.every((i) => isHeadingOfRatings(names[i])) && found.flat().every(isGrade)
  if (!areGrades && !(areRatings([...new Set(found.flat())]) && found.every(areMost))) return null
  const others = [...names.keys()].filter((i) => times[i] === '')
  if (!others.every((i) => isOfNames(names[i], wordsOf(rows, i), rows.length))) return null
  return {
    names: [...others.map((i) => names[i]), 'Date', 'Rating'],
    made: places.some((i) => !names[i].includes(times[i]))
      ? 'a row for each rating, on the last day of its period'
      : 'a row for each rating',
    rowsOf: (row) =>
      places
        .filter((i) => !isGap(row[i] ?? ''))
        .map((i) => [...others.map((other) => row[other] ?? ''), times[i], row[i]]),
  }
}

/** Whether a word is a grade, a rating, or says that there is none. */
const isGrade = (word: string) =>
  /^(\d{1,2}[+-]?|[A-Z][+-]?)$/.test(word) || isRating(word) || isDefault(word)

/** The year or date in a heading that has nothing else but a word for ratings; of other periods the last day; else an empty text. */
function timeIn(heading: string): string {
  const time = heading.replace(/(?<![a-z])(rating|grade|note)s?(?![a-z])|[_()[\]]/gi, ' ').trim()
  return periodIn(time)
}

const wordsOf = (rows: Wide['rows'], i: number) =>
  [...new Set(rows.map((row) => row[i] ?? ''))].filter((word) => !isGap(word))

/** Whether a column names its rows or groups of them: numbers, classes and ratings would count once for each year. */
const isOfNames = (name: string, words: readonly string[], rows: number) =>
  (words.length === rows && (namesRows(name) || isHeadingOf('entities', name))) ||
  !(words.length === 2 || words.some(isValue) || areRatings(words))

const isMaturity = (text: string) => isDay(text) || Number.isFinite(durationIn(text))
/** Words of volatilities, beside a grid of them. */
const OF_VOLATILITIES = /vol|smile|surface|skew|moneyness|\biv\b/i
/** Volatilities of one expiry do not differ more; prices do. */
const MOST_RATIO = 4

/**
 * A row for each volatility of a grid with maturities in its rows and strikes in its columns, or the reverse. Strikes in per cent are
 * those of a spot of 100.
 */
function volatilityGrid({ names: [corner, ...heads], above, rows }: Wide): Long | null {
  const labels = rows.map(([label = '']) => label)
  if (heads.length < 2 || labels.length < 2) return null
  const isBySpot = [...heads, ...labels].some((text) => text.endsWith('%'))
  const isSaid = isBySpot || [corner, ...above.flat()].some((text) => OF_VOLATILITIES.test(text))
  const areTimes = labels.every(isMaturity) || (isHeadingOf('time_to_maturity', corner) && areRising(labels))
  const isByRow = heads.length > 2 && areTimes && areRising(heads)
  const isByColumn = labels.length > 2 && heads.every(isMaturity) && areRising(labels)
  const isOfOptions = isByRow ? isHeadingOf('time_to_maturity', corner) : isOfStrikes(corner)
  if (!(isByRow || isByColumn) || !(isSaid || isOfOptions) || !areVolatilities(rows, isByRow)) return null
  const strikeOf = (text: string) => text.replace(/\s*%$/, '')
  return {
    names: ['Maturity', 'Strike', ...(isBySpot ? ['Spot'] : []), 'Implied volatility'],
    made: `a row for each volatility of the grid${isBySpot ? ', with strikes for a spot of 100' : ''}`,
    rowsOf: ([label = '', ...cells]) =>
      heads.flatMap((head, i) => {
        const [time, strike] = isByRow ? [label, head] : [head, label]
        return isNumberGap(cells[i] ?? '') || cells[i] === ''
          ? []
          : [[time, strikeOf(strike), ...(isBySpot ? ['100'] : []), cells[i]]]
      }),
  }
}

/** Whether texts are numbers above 0, each above the one before it, and not years one after the other. */
function areRising(texts: readonly string[]): boolean {
  const marks = ['point', 'comma'] as const
  return marks.some((mark) => {
    const numbers = texts.map((text) => numberIn(text, mark))
    const isNext = (value: number, i: number) => value > (i === 0 ? 0 : numbers[i - 1])
    const areYears = numbers.every((value, i) => value === numbers[0] + i && value > 1900 && value < 2100)
    return numbers.every(isNext) && !areYears
  })
}

function areVolatilities(rows: Wide['rows'], isByRow: boolean): boolean {
  const read = rows.map(([, ...cells]) =>
    cells.map((cell) => numberIn(cell, cell.includes('.') ? 'point' : 'comma')),
  )
  const lists = isByRow ? read : read[0].map((_, i) => read.map((cells) => cells[i]))
  return lists.every((list) => {
    const known = list.filter((value) => !Number.isNaN(value))
    return known.length > 0 && known.every((value) => value > 0 && value <= MOST_RATIO * Math.min(...known))
  })
}

/** The names of contracts, as clearing houses and terminals write them: expiry, type and strike. */
const CONTRACTS: readonly {
  readonly form: RegExp
  readonly cells: (parts: readonly string[]) => string[]
}[] = [
  {
    form: /^(?:O:)?[A-Z]{1,6} *(\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([CP])(\d{8})$/,
    cells: ([year, month, day, type, strike]) => [
      `20${year}-${month}-${day}`,
      type,
      textOfNumber(Number(strike) / 1000),
    ],
  },
  {
    // Exchanges of cryptocurrencies: BTC-25DEC26-70000-C, XRP_USDC-30JUN26-0d625-P.
    form: /^[A-Z]+(?:_[A-Z]+)?-(\d{1,2}(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)\d\d)-(\d+(?:d\d+)?)-([CP])$/,
    cells: ([day, strike, type]) => [day, type, textOfNumber(Number(strike.replace('d', '.')))],
  },
  {
    // BTC-USD-261225-70000-C, BTC-261225-70000-C.
    form: /^[A-Z]+(?:-USD[CT]?)?-(\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])-(\d+(?:\.\d+)?)-([CP])$/,
    cells: ([year, month, day, strike, type]) => [
      `20${year}-${month}-${day}`,
      type,
      textOfNumber(Number(strike)),
    ],
  },
  {
    // Whether the day or the month comes first is judged by the whole column.
    form: / (\d{1,2}\/\d{1,2}\/\d\d) ([CP])([\d.]+)( |$)/,
    cells: ([day, type, strike]) => [day, type, textOfNumber(Number(strike))],
  },
]
const PARTS = [
  ['Expiry', 'time_to_maturity'],
  ['Option type', 'option_type'],
  ['Strike', 'strike'],
] as const

/** The table of quotes with the columns that it lacks beside names of contracts, or null. */
function withContracts(names: readonly string[], judged: Wide['rows'], long: Long | null): Long | null {
  for (const { form, cells } of CONTRACTS) {
    const place = names.findIndex(
      (_, i) => judged.length > 1 && judged.every((row) => form.test(row[i] ?? '')),
    )
    if (place === -1 || !names.some(isQuote)) continue
    const lacking = PARTS.flatMap(([, field], i) =>
      names.some((name) => isHeadingOf(field, name)) ? [] : [i],
    )
    if (lacking.length === 0) return null
    const added = lacking.map((i) => PARTS[i][0])
    const more = (row: readonly string[]) => {
      const parts = form.exec(row[place] ?? '')
      const found = parts === null ? [] : cells(parts.slice(1))
      return [...row, ...lacking.map((i) => found[i] ?? '')]
    }
    const made = `${added.join(', ')} from ${names[place]}`
    return {
      names: [...names, ...added],
      made: long === null ? made : `${long.made} · ${made}`,
      added: { from: names[place], count: added.length },
      rowsOf: (row) => (long?.rowsOf(row) ?? [row]).map(more),
    }
  }
  return null
}
