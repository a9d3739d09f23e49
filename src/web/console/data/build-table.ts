/** Makes a table of rows of text: recognises headings and the type of each column, and notes cells of another type. */
// @ts-nocheck: to be converted
import { hundredth, plural, whole } from '../numbers.ts'
import { isGap } from './cells.ts'
import { types, typesOf } from './column-types.ts'
import { isKnownHeading } from './headings.ts'
import { TableError } from './table.ts'

/** The first rows, from which headings and types are guessed. */
const JUDGED = 200
/** Rows whose texts are kept, to be shown. */
const SHOWN = 5
/** Cells of another type that are kept for each column; further ones are only counted. */
const MOST_ODD = 100
/** A column with a larger share of such cells is text. */
const ODD_SHARE = 0.2

/**
 * @param source `{ each(take), names, separator, sign, lineAt }`: `each` calls `take(cells, end)` with the texts of each row and
 * the position of its end, until it returns false; `names`: of the columns, or null; `lineAt(end)`: the number of that line
 * @param chosen types that the person chose, by the number of the column
 * @returns `{ rows, columns, hasHeader, separator, skipped, head }`, where a column is `{ name, type, values, words, gaps, odd,
 * oddCount, doubt, isPercent }`: `values` holds numbers, milliseconds since 1970, or indices into `words`, and NaN for cells that
 * are empty (`gaps` counts them) or of another type (`odd`: `{ row, text }`, rows from 0); `head`: the texts of the first rows
 */
export function buildTable(source, chosen = {}) {
  const sample = []
  source.each((cells) => sample.push(cells.map((cell) => cell.trim())) < JUDGED)
  if (sample.length === 0) throw new TableError('There is no row yet.')
  const shape = shapeOf(sample, source.names)
  const body = sample.slice(shape.start)
  const sampled = shape.names.map((_, i) => body.map((cells) => cells[i] ?? ''))
  const judged = typesOf(sampled, shape.names, source.sign).map((one, i) =>
    i in chosen ? { type: chosen[i], doubt: null } : one,
  )
  let columns = collected(
    source,
    shape,
    judged.map(({ type }) => type),
  )
  const isText = columns.map(
    ({ type, oddCount, gaps, values }, i) =>
      !(i in chosen) && type !== 'text' && oddCount > ODD_SHARE * (values.length - gaps),
  )
  if (isText.includes(true))
    columns = collected(
      source,
      shape,
      columns.map(({ type }, i) => (isText[i] ? 'text' : type)),
    )
  const rows = columns[0].values.length
  if (rows === 0) throw new TableError('There is no row below the headings yet.')
  return {
    rows,
    hasHeader: shape.hasHeader,
    skipped: shape.skipped,
    separator: columns.length === 1 && source.sign !== null ? null : source.separator,
    columns: columns.map(({ bare, ...column }, i) => ({
      ...column,
      name: shape.names[i],
      doubt: judged[i].doubt ?? (column.isPercent ? doubtOf(bare) : null),
    })),
    head: body.slice(0, SHOWN).map((cells) => shape.names.map((_, i) => cells[i] ?? '')),
  }
}

/** The doubt about a number without a percent sign in a column whose other numbers have one. */
const doubtOf = (bare) => bare && { cell: bare.text, readings: [bare.value, hundredth(bare.value)] }

/** The shape of a table: its number of columns, the rows above the headings, and the headings. */
function shapeOf(sample, given) {
  const hasTail = sample.every((cells) => cells.length > 1 && cells.at(-1) === '')
  const widths = new Map()
  for (const { length } of sample) widths.set(length, (widths.get(length) ?? 0) + 1)
  const usual = [...widths].reduce((best, next) => (next[1] > best[1] ? next : best))[0]
  const width = Math.max(usual, given?.length ?? 0)
  const isFull = (cells) =>
    cells.length >= width &&
    cells.slice(0, width).filter((cell) => cell === '').length <= Math.max(1, width - 2)
  const skipped = given === null && width > 1 ? Math.max(0, sample.findIndex(isFull)) : 0
  const columns = hasTail ? width - 1 : width
  const [head, ...body] = sample.slice(skipped).map((cells) => cells.slice(0, columns))
  const hasHeader = given !== null || isHeader(head, body)
  return {
    hasHeader,
    skipped,
    columns,
    start: skipped + (hasHeader && given === null ? 1 : 0),
    names: unique(
      Array.from({ length: columns }, (_, i) => (hasHeader && (given ?? head)[i]) || `Column ${i + 1}`),
    ),
  }
}

/**
 * Whether the first row is headings: it has a word above numbers or dates; it has only words, one of which is a known heading,
 * and none is repeated in its column; it has the ratings of a matrix; or it has years or dates above cells that are neither.
 */
function isHeader(head, body) {
  if (body.length === 0) return false
  // The first row of a symmetric matrix without headings has the numbers of its first column too.
  if (
    head.length > 2 &&
    body.length >= head.length - 1 &&
    !isValue(head[0]) &&
    head.slice(1).every((cell, i) => cell === body[i][0])
  )
    return true
  const below = head.map((_, i) => body.map((cells) => cells[i] ?? '').filter((cell) => !isGap(cell)))
  const isWord = (cell) => !isGap(cell) && !isValue(cell)
  if (head.some((cell, i) => isWord(cell) && below[i].length > 1 && below[i].every(isValue))) return true
  const periods = head.flatMap((cell, i) => (isPeriod(cell) ? [i] : []))
  if (periods.length > 1 && head.every((cell) => isPeriod(cell) || !isValue(cell)))
    return !periods.some((i) => below[i].some(isPeriod))
  if (head.some(isValue) || head.every((cell) => cell === '')) return false
  if (below.flat().some(isValue)) return true
  return head.some(isKnownHeading) && head.every((cell, i) => !below[i].includes(cell))
}

const isDay = (cell) => ['day', 'month'].some((type) => Number.isFinite(types[type].read(cell)))
const isPeriod = (cell) => /^(19|20)\d\d$/.test(cell) || isDay(cell)
const isValue = (cell) =>
  isDay(cell) || ['number', 'comma'].some((type) => Number.isFinite(types[type].read(cell)))

function unique(names) {
  const seen = new Map()
  return names.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

function collected(source, { start, columns, hasHeader }, kinds) {
  const faultOf = (cells, end, row) =>
    new TableError(
      `${end === undefined ? `Row ${whole(row)}` : `Line ${whole(source.lineAt(end))}`} has ${plural(cells.length, 'cell')}, but the table has ${plural(columns, 'column')}.`,
    )
  const collectors = kinds.map((type) => (type === 'text' ? collectWords() : collectNumbers(type)))
  let [index, rows] = [0, 0]
  source.each((cells, end) => {
    if (index++ < start) {
      // A skipped row may be headings: the rows below have more cells if the comma separates both cells and decimals.
      if (!hasHeader && cells.filter((cell) => cell.trim() !== '').length > 1)
        throw faultOf(cells, end, index)
      return
    }
    if (cells.length > columns && cells.slice(columns).some((cell) => cell.trim() !== ''))
      throw faultOf(cells, end, rows + 1)
    for (let i = 0; i < columns; i++) collectors[i].take(cells[i] ?? '', rows)
    rows++
  })
  return collectors.map(({ end }) => end())
}

function collectNumbers(type) {
  const { read } = types[type]
  const values = []
  const odd = []
  let [gaps, oddCount, isPercent, bare] = [0, 0, false, null]
  return {
    take: (cell, row) => {
      const value = read(cell)
      const isRead = Number.isFinite(value)
      values.push(isRead ? value : Number.NaN)
      if (isRead) {
        if (cell.includes('%')) isPercent = true
        else if (value !== 0) bare ??= { text: cell.trim(), value }
      } else if (isGap(cell)) gaps++
      else if (++oddCount <= MOST_ODD) odd.push({ row, text: cell.trim() })
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

function collectWords() {
  const values = []
  const places = new Map()
  let gaps = 0
  return {
    take: (cell) => {
      const word = cell.trim()
      if (isGap(word)) {
        gaps++
        return values.push(Number.NaN)
      }
      if (!places.has(word)) places.set(word, places.size)
      values.push(places.get(word))
    },
    end: () => ({
      type: 'text',
      values: new Float64Array(values),
      words: [...places.keys()],
      gaps,
      odd: [],
      oddCount: 0,
    }),
  }
}
