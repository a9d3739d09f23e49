/** Makes long tables of wide ones: a row for each call and put that stand side by side, and for each rating of one column a year. */
import { isGap } from './cells.ts'
import { isDay } from './column-types.ts'
import { likeness, plain } from './headings.ts'
import { areRatings, MOST_RATINGS } from './ratings.ts'

export interface Long {
  readonly names: readonly string[]
  /** What each row of it is, in words. */
  readonly each: string
  /** The rows that a row of the wide table makes. */
  rowsOf(cells: readonly string[]): string[][]
}

/** The rows of a file below its headings, and the texts above them. */
export interface Wide {
  readonly names: readonly string[]
  readonly above: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

export function longOf(wide: Wide): Long | null {
  const long = callsAndPuts(wide) ?? ratingsByYear(wide)
  const rows = long === null ? wide.rows : wide.rows.slice(0, JUDGED).flatMap(long.rowsOf)
  return withContracts(long?.names ?? wide.names, rows, long) ?? long
}

const JUDGED = 200
const isHeadingOf = (field: string, name: string) => likeness(field, name) >= 0.5

const SIDES = [/^(calls?|c)\b *| *\bcalls?$/, /^(puts?|p)\b *| *\bputs?$/]

/** The columns of calls and of puts are told by these words, or by their order if the words above them say so. */
function callsAndPuts({ names, above }: Wide): Long | null {
  const plains = names.map(plain)
  const isOrdered = /\bcalls?\b.*\bputs?\b/.test(plain([...above, ...names].join(' ')))
  const placesOf = (name: string) => plains.flatMap((one, i) => (one === name ? [i] : []))
  const pairs = plains.flatMap((name, call) => {
    const isCall = SIDES[0].test(name)
    const base = name.replace(SIDES[0], '')
    const puts = isCall
      ? plains.flatMap((one, i) => (SIDES[1].test(one) && one.replace(SIDES[1], '') === base ? [i] : []))
      : placesOf(name).slice(1)
    return puts.length === 1 && (isCall || isOrdered) && call < puts[0]
      ? [{ name: isCall ? base || 'Contract' : names[call], places: [call, puts[0]] }]
      : []
  })
  const paired = pairs.flatMap(({ places }) => places)
  const shared = names.flatMap((_, i) => (paired.includes(i) ? [] : [i]))
  const isTyped = shared.some((i) => isHeadingOf('option_type', names[i]))
  if (pairs.length < 2 || isTyped || !names.some((name) => isHeadingOf('strike', name))) return null
  return {
    names: [...shared.map((i) => names[i]), 'Option type', ...pairs.map(({ name }) => name)],
    each: 'a row for each call and put',
    rowsOf: (cells) =>
      ['Call', 'Put'].map((type, side) => [
        ...shared.map((i) => cells[i] ?? ''),
        type,
        ...pairs.map(({ places }) => cells[places[side]] ?? ''),
      ]),
  }
}

/** At least three columns of ratings of a known scale, below years or dates. */
function ratingsByYear({ names, rows }: Wide): Long | null {
  const times = names.map((name) => (isDay(name) ? name : (/\d.*\d/.exec(name)?.[0] ?? '')))
  const places = times.flatMap((time, i) => (isDay(time) || /^(19|20)\d\d$/.test(time) ? [i] : []))
  const cells = rows.slice(0, JUDGED).flatMap((row) => places.map((i) => row[i] ?? ''))
  const words = [...new Set(cells.filter((cell) => !isGap(cell)))]
  const isDistinct = new Set(places.map((i) => times[i])).size === places.length
  if (places.length < 3 || !isDistinct || words.length > MOST_RATINGS || !areRatings(words)) return null
  const others = names.flatMap((_, i) => (places.includes(i) ? [] : [i]))
  return {
    names: [...others.map((i) => names[i]), 'Date', 'Rating'],
    each: 'a row for each rating',
    rowsOf: (row) =>
      places
        .filter((i) => !isGap(row[i] ?? ''))
        .map((i) => [...others.map((other) => row[other] ?? ''), times[i], row[i]]),
  }
}

/** The names of contracts, as clearing houses and terminals write them: expiry, type and strike. */
const CONTRACTS: readonly {
  readonly form: RegExp
  readonly cells: (parts: readonly string[]) => string[]
}[] = [
  {
    form: /(\d\d)(\d\d)(\d\d)([CP])(\d{8})$/,
    cells: ([year, month, day, type, strike]) => [
      `20${year}-${month}-${day}`,
      type,
      String(Number(strike) / 1000),
    ],
  },
  {
    form: /(\d{1,2})\/(\d{1,2})\/(\d\d) ([CP])([\d.]+)( |$)/,
    cells: ([month, day, year, type, strike]) => [`20${year}-${month}-${day}`, type, strike],
  },
]
const PARTS = [
  ['Expiry', 'time_to_maturity'],
  ['Option type', 'option_type'],
  ['Strike', 'strike'],
] as const

/** The table with the columns that it lacks beside names of contracts, or null. */
function withContracts(
  names: readonly string[],
  rows: readonly (readonly string[])[],
  long: Long | null,
): Long | null {
  const lacking = PARTS.flatMap(([, field], i) => (names.some((name) => isHeadingOf(field, name)) ? [] : [i]))
  const judged = rows.slice(0, JUDGED)
  for (const { form, cells } of CONTRACTS) {
    const place = names.findIndex(
      (_, i) => judged.length > 1 && judged.every((row) => form.test(row[i] ?? '')),
    )
    if (place === -1 || lacking.length === 0) continue
    const more = (row: readonly string[]) => {
      const parts = form.exec(row[place] ?? '')
      const found = parts === null ? [] : cells(parts.slice(1))
      return [...row, ...lacking.map((i) => found[i] ?? '')]
    }
    return {
      names: [...names, ...lacking.map((i) => PARTS[i][0])],
      each: long?.each ?? '',
      rowsOf: (row) => (long?.rowsOf(row) ?? [row]).map(more),
    }
  }
  return null
}
