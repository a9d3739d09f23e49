/** Makes a table of rows of text: recognises headings, types of columns and rows that are no observations. */
import { hundredth, plural, whole } from '../numbers.ts'
import { durationIn } from '../times.ts'
import { asideRows, filledIn, type Row } from './aside-rows.ts'
import { isBlank, isNumberGap } from './cells.ts'
import { type Bare, collected, isValue, periodIn, typesOf } from './column-types.ts'
import { filledDown, groupingsOf } from './fill-down.ts'
import { isHeadingOf, isKnownHeading } from './headings.ts'
import { longOf } from './long-table.ts'
import { midPrices } from './mid-prices.ts'
import { bareRatings, isDefault, isHeadingOfRatings, isWithdrawn } from './ratings.ts'
import {
  type AsideGroup,
  type AsideKey,
  type AsideKind,
  type Column,
  type ColumnType,
  cellOf,
  type Doubt,
  type Source,
  type Table,
  TableError,
} from './table.ts'

/** The first rows, from which headings and types are guessed. */
const JUDGED = 200
/** Rows whose texts are kept, to be shown. */
const SHOWN = 5
/** A column with a larger share of such cells is text. */
const ODD_SHARE = 0.2
/** Scales of numbered grades have fewer. */
const HIGHEST_GRADE = 30
/** Rows of each kind that are kept to be shown among those set aside. */
const MOST_ASIDE = 20

/** What the person chose. */
export interface Chosen {
  /** Types of columns by their numbers. */
  readonly types?: Readonly<Record<number, ColumnType>>
  /** The keys of rows, or of all rows of a kind, that were taken back. */
  readonly taken?: readonly AsideKey[]
}

interface Shape {
  readonly hasHeader: boolean
  /** Rows above the headings. */
  readonly skipped: number
  readonly columns: number
  /** The first row below the headings. */
  readonly start: number
  /** As they are written, and with different ones. */
  readonly headings: readonly string[]
  readonly names: readonly string[]
  /** The rows above the headings. */
  readonly above: readonly (readonly string[])[]
}

export function buildTable(source: Source, { types: chosen = {}, taken = [] }: Chosen = {}): Table {
  const all = withCorner(rowsOf(source), source)
  if (all.length === 0) throw new TableError('There is no row yet.')
  const shape = shapeOf(
    all.slice(0, JUDGED).map(({ cells }) => cells),
    source.names,
  )
  const body = bodyOf(all, shape, source)
  if (body.length === 0) throw new TableError('There is no row below the headings yet.')
  const kinds = asideRows(body, shape.names)
  const isOut = (row: number) => {
    const kind = kinds.get(row)
    return kind !== undefined && !taken.includes(row + 1) && !taken.includes(kind)
  }
  const groupings = groupingsOf(
    body.filter((_, row) => !kinds.has(row)),
    shape.columns,
  )
  const filling = groupings.filter(({ key }) => taken.includes(key))
  const full = filling.length === 0 ? body : filledDown(body, filling, kinds)
  const kept = kinds.size === 0 ? full : full.filter((_, row) => !isOut(row))
  for (const row of kept) checkWidth(row, shape.columns, source)
  // A row that is taken back leaves the form of the table alone.
  const observed = kinds.size === 0 ? full : full.filter((_, row) => !kinds.has(row))
  const long = longOf({ ...shape, names: shape.headings, rows: observed.map(({ cells }) => cells) })
  const rows =
    long === null ? kept : kept.flatMap((one) => long.rowsOf(one.cells).map((cells) => ({ ...one, cells })))
  const names = long === null ? shape.names : unique(long.names)
  const read = columnsOf(rows, names, { chosen, sign: source.sign }).map((column, i) =>
    long?.added && i >= names.length - long.added.count ? { ...column, madeOf: long.added.from } : column,
  )
  const mid = midPrices(read)
  const bare = read.map(bareRatings)
  const columns = mid === null ? bare : [...bare, mid]
  const marked = bare.filter((column, i) => column !== read[i])
  return {
    rows: rows.length,
    made: [
      long?.made,
      mid && `Mid from ${mid.madeOf}`,
      ...marked.map(({ name }) => `${name} without marks of watches and outlooks`),
    ]
      .filter(Boolean)
      .join(' · '),
    hasHeader: shape.hasHeader,
    above: shape.above,
    separator: read.length === 1 && source.sign !== null ? null : source.separator,
    columns,
    head: rows
      .slice(0, SHOWN)
      .map(({ cells }, row) => [
        ...names.map((_, i) => cells[i] ?? ''),
        ...(mid === null ? [] : [String(cellOf(mid, row))]),
      ]),
    numbers:
      long === null && rows.length === body.length ? null : Uint32Array.from(rows, ({ row }) => row + 1),
    aside: listed(body, kinds, isOut),
    groups: groupings.map(({ key, place, ...one }) => ({
      ...one,
      key,
      name: shape.names[place],
      isTaken: taken.includes(key),
    })),
  }
}

/** The rows with their cells trimmed in place. Blank rows of a table of several columns are none. */
function rowsOf(source: Source): Row[] {
  const rows: Row[] = []
  source.each((cells, end, { isHidden = false, isSum = false, isAfterBlank = false, below } = {}) => {
    for (let i = 0; i < cells.length; i++) cells[i] = cells[i].trim()
    if (cells.length < 2 || !cells.every(isBlank))
      rows.push({ cells, end, isHidden, isSum, isAfterBlank, below, row: 0 })
  })
  return rows
}

/** The rows with a cell for each heading: R writes none above the names of rows, and others a separator behind each row but the first. */
function withCorner(rows: readonly Row[], { names }: Source): readonly Row[] {
  const [head, ...below] = rows.slice(0, JUDGED)
  const width = (head?.cells.length ?? 0) + 1
  const areLonger = below.length > 0 && below.every(({ cells }) => cells.length === width)
  if (names !== null || width < 3 || !areLonger || head.cells.some(isValue)) return rows
  if (below.every(({ cells }) => cells[width - 1] === ''))
    return rows.map((row) => (row.cells[width - 1] === '' ? { ...row, cells: row.cells.slice(0, -1) } : row))
  const isNamed = below.every(({ cells }) => cells[0] !== '')
  return isNamed ? [{ ...head, cells: ['', ...head.cells] }, ...rows.slice(1)] : rows
}

/** The rows below the headings, with their places. */
function bodyOf(all: readonly Row[], { start, hasHeader, columns }: Shape, source: Source): Row[] {
  // A skipped row may be headings: the rows below have more cells if the comma separates both cells and decimals.
  const isList = ({ cells }: Row) => cells.filter((cell) => cell !== '').length > 1
  const head = hasHeader ? undefined : all.slice(0, start).find(isList)
  if (head !== undefined) throw faultOf(head, all.indexOf(head), { columns, source })
  const body = all.slice(start)
  for (const [row, one] of body.entries()) one.row = row
  return body
}

function checkWidth(one: Row, columns: number, source: Source) {
  if (one.cells.length > columns && one.cells.slice(columns).some((cell) => cell !== ''))
    throw faultOf(one, one.row, { columns, source })
}

const faultOf = (
  { cells, end }: Row,
  row: number,
  { columns, source }: { readonly columns: number; readonly source: Source },
) =>
  new TableError(
    `${end === undefined ? `Row ${whole(row + 1)}` : `Line ${whole(source.lineAt?.(end) ?? row + 1)}`} has ${plural(cells.length, 'cell')}, but the table has ${plural(columns, 'column')}.`,
  )

/** The rows that are set aside, and those of them that were taken back, by their kind. */
function listed(
  body: readonly Row[],
  kinds: ReadonlyMap<number, AsideKind>,
  isOut: (row: number) => boolean,
): AsideGroup[] {
  type Group = Omit<AsideGroup, 'count' | 'rows'> & { count: number; rows: AsideGroup['rows'][number][] }
  const groups = new Map<string, Group>()
  for (const [row, kind] of [...kinds].sort(([a], [b]) => a - b)) {
    const isTaken = !isOut(row)
    const key = `${kind} ${isTaken}`
    const group = groups.get(key) ?? { kind, key: kind, isTaken, count: 0, rows: [] }
    groups.set(key, group)
    if (++group.count <= MOST_ASIDE)
      group.rows.push({ key: row + 1, number: row + 1, cells: body[row].cells })
  }
  return [...groups.values()]
}

function columnsOf(
  rows: readonly Row[],
  names: readonly string[],
  { chosen, sign }: { readonly chosen: NonNullable<Chosen['types']>; readonly sign: string | null },
): Column[] {
  const judged = rows.slice(0, JUDGED)
  const sampled = names.map((_, i) => judged.map(({ cells }) => cells[i] ?? ''))
  return typesOf(sampled, names, sign).map(({ type, doubt }, i) => {
    const isChosen = i in chosen
    const found = collected(rows, i, chosen[i] ?? type)
    const isText =
      !isChosen &&
      found.type !== 'text' &&
      (found.oddCount > ODD_SHARE * (rows.length - found.gaps) || isOfGrades(names[i], found))
    const { bare, ...column } = isText ? collected(rows, i, 'text') : found
    const open = isText ? null : (doubt ?? (column.isPercent && bare ? doubtOf(bare, column.type) : null))
    return { ...column, name: names[i], doubt: isChosen ? null : open }
  })
}

/** Whether a column has numbers of few grades, and the words of default and withdrawal, which are ratings too. */
function isOfGrades(name: string, { values, odd }: Pick<Column, 'values' | 'odd'>): boolean {
  const isWord = ({ text }: { text: string }) => isDefault(text) || isWithdrawn(text)
  if (odd.length === 0 || !odd.every(isWord) || !isHeadingOfRatings(name)) return false
  const numbers = values.filter((value) => !Number.isNaN(value))
  const isGrade = (value: number) => Number.isInteger(value) && value >= 0 && value <= HIGHEST_GRADE
  return numbers.every(isGrade) && new Set(numbers).size < numbers.length
}

/** The doubt about a number without a percent sign in a column whose other numbers have one. */
const doubtOf = (bare: Bare, type: ColumnType): Doubt => ({
  cell: bare.text,
  readings: [bare.value, hundredth(bare.value)],
  types: type === 'comma' ? ['comma', 'percent comma'] : ['number', 'percent'],
})

/** The shape of a table: its number of columns, the rows above the headings, and the headings. */
function shapeOf(sample: readonly (readonly string[])[], given: readonly string[] | null): Shape {
  const hasTail = sample.every((cells) => cells.length > 1 && cells.at(-1) === '')
  const widths = new Map<number, number>()
  for (const { length } of sample) widths.set(length, (widths.get(length) ?? 0) + 1)
  const usual = [...widths].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
  const width = Math.max(usual, given?.length ?? 0)
  const isFull = (cells: readonly string[]) =>
    cells.length >= width &&
    cells.slice(0, width).filter((cell) => cell === '').length <= Math.max(1, width - 2)
  const first = given === null && width > 1 ? Math.max(0, sample.findIndex(isFull)) : 0
  const skipped = given === null && width > 1 ? lowestHead(sample, first) : 0
  const columns = hasTail ? width - 1 : width
  const [lowest, ...body] = sample.slice(skipped).map((cells) => cells.slice(0, columns))
  // A heading over two rows of headings is in the upper one.
  const groups = sample.slice(first, skipped).toReversed()
  const head = lowest.map((cell, i) => cell || groups.find((cells) => cells[i])?.[i] || '')
  const hasHeader = given !== null || isHeader(head, body)
  const headings = Array.from(
    { length: columns },
    (_, i) => (hasHeader && (given ?? head)[i]) || `Column ${i + 1}`,
  )
  return {
    hasHeader,
    skipped,
    columns,
    start: skipped + (hasHeader && given === null ? 1 : 0),
    headings,
    names: unique(headings),
    above: sample.slice(0, skipped),
  }
}

/** The most rows of headings, with those of their groups above them. */
const MOST_HEADS = 5

/**
 * The row of the headings, from the first that may be one: below a title, or below groups that leave cells empty, are further
 * words, of which at least as many are known headings.
 */
function lowestHead(sample: readonly (readonly string[])[], first: number): number {
  let head = first
  const known = (row: number) => sample[row].filter(isKnownHeading).length
  for (let row = first + 1; row < Math.min(first + MOST_HEADS, sample.length - 1); row++)
    if (
      ((sample[head].slice(1).includes('') &&
        filledIn(sample[row]) > filledIn(sample[head]) &&
        (known(row) >= Math.max(1, known(head)) || isTitled(sample.slice(head), row - head))) ||
        (known(head) === 0 && known(row) > 2)) &&
      (isOfGrid(sample[row], known(head)) ||
        sample[row].every((cell) => cell === '' || !(isValue(cell) || isNumberGap(cell)))) &&
      sample.slice(row + 1).some((cells) => cells.some(isValue))
    )
      head = row
  return head
}

/** Whether a row is the headings of a grid of volatilities, of which all but the first may be numbers, below a title. */
const isOfGrid = ([corner = '']: readonly string[], knownAbove: number): boolean =>
  knownAbove === 0 && ['strike', 'time_to_maturity'].some((field) => isHeadingOf(field, corner))

/** Whether a row is headings below a title, which is the only cell of its row. */
const isTitled = (rows: readonly (readonly string[])[], row: number): boolean =>
  rows[0][0] !== '' && filledIn(rows[0]) === 1 && isHeader(rows[row], rows.slice(row + 1))

/**
 * Whether the first row is headings: it has a word above numbers or dates; it has only words, one of which is a known heading,
 * and none is repeated in its column; it has the ratings of a matrix; or it has years or dates above cells that are neither.
 */
function isHeader(head: readonly string[], body: readonly (readonly string[])[]): boolean {
  if (body.length === 0) return false
  // The first row of a symmetric matrix without headings has the numbers of its first column too.
  if (
    head.length > 2 &&
    body.length >= head.length - 1 &&
    !isValue(head[0]) &&
    head.slice(1).every((cell, i) => cell === body[i][0])
  )
    return true
  const below = head.map((_, i) => body.map((cells) => cells[i] ?? '').filter((cell) => !isNumberGap(cell)))
  const isWord = (cell: string) => !isNumberGap(cell) && !isValue(cell)
  const isMeasured = (cell: string) => isValue(cell) || Number.isFinite(durationIn(cell))
  if (head.some((cell, i) => isWord(cell) && below[i].length > 1 && below[i].every(isMeasured))) return true
  const periods = head.flatMap((cell, i) => (isPeriod(cell) ? [i] : []))
  if (periods.length > 1 && head.every((cell) => isPeriod(cell) || !isValue(cell)))
    return !periods.some((i) => below[i].some(isPeriod))
  if (head.some(isValue) || head.every((cell) => cell === '')) return false
  if (below.flat().some(isValue)) return true
  return head.some(isKnownHeading) && head.every((cell, i) => !below[i].includes(cell))
}

const isPeriod = (cell: string) => periodIn(cell) !== ''

/** Different names: of `price, price (2), price`, the third is `price (3)`. */
function unique(names: readonly string[]): string[] {
  const all = new Set(names)
  const used = new Set<string>()
  return names.map((name) => {
    let own = name
    for (let count = 2; used.has(own) || (own !== name && all.has(own)); count++) own = `${name} (${count})`
    used.add(own)
    return own
  })
}
