/** The types of columns, guessed from their first cells. */
// @ts-nocheck: to be converted
import { hundredth } from '../numbers.ts'
import { dateText } from '../times.ts'
import { dateIn, durationIn, isNumberGap, numberIn } from './cells.ts'

/** For each type, its label and `read(cell)`: a number, milliseconds since 1970, or NaN for a cell of another type. */
export const types = {
  number: { label: 'number', read: (cell) => numberIn(cell, 'point') },
  comma: { label: 'number 1,5', read: (cell) => numberIn(cell, 'comma') },
  percent: { label: 'per cent', read: (cell) => percentIn(cell, 'point') },
  'percent comma': { label: 'per cent 1,5', read: (cell) => percentIn(cell, 'comma') },
  day: { label: 'date', read: (cell) => dateIn(cell, 'day', true) },
  month: { label: 'date m/d', read: (cell) => dateIn(cell, 'month', true) },
  duration: { label: 'duration', read: durationIn },
  text: { label: 'text', read: () => Number.NaN },
}

/** The number in a cell, which is in per cent without the sign too. */
const percentIn = (cell, mark) =>
  cell.includes('%') ? numberIn(cell, mark) : hundredth(numberIn(cell, mark))

export const isNumeric = ({ type }) => !['day', 'month', 'text'].includes(type)
export const isDate = ({ type }) => type === 'day' || type === 'month'

/** The least share of its cells that a column's type must read; the person is told of the other cells. */
const MOST = 0.8

/**
 * The types of columns: `{ type, doubt }`, where `doubt` is null, or `{ cell, readings, types }` for a cell that can be read in
 * two ways, by the two types; the first was taken.
 * @param columns cells of each column, without its heading
 * @param separator of the file; only if it is not the comma, a comma in a cell may be the decimal separator
 */
export function typesOf(columns, names, separator) {
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

/** The decimal separator with which more cells are numbers, or null if neither is better. */
function markOf(cells) {
  let [points, commas] = [0, 0]
  for (const cell of cells) {
    const [asPoint, asComma] = [numberIn(cell, 'point'), numberIn(cell, 'comma')].map(Number.isFinite)
    if (asPoint && !asComma) points++
    if (asComma && !asPoint) commas++
  }
  if (points === commas) return null
  return points > commas ? 'point' : 'comma'
}

function typeOf(cells, name, mark, evidence) {
  const shareOf = (read) => cells.filter((cell) => Number.isFinite(read(cell))).length / cells.length
  if (cells.length === 0 || isCode(cells)) return { type: 'text', doubt: null }
  const isCompact = /dat|day|jour|tag\b/i.test(name) && cells.every((cell) => /^(19|20)\d{6}$/.test(cell))
  if (!isCompact && shareOf((cell) => numberIn(cell, mark)) >= MOST) {
    const isBoth = (cell) =>
      numberIn(cell, 'point') !== numberIn(cell, 'comma') && !Number.isNaN(numberIn(cell, 'comma'))
    const odd =
      evidence === null && cells.find((cell) => Number.isFinite(numberIn(cell, mark)) && isBoth(cell))
    const marks = mark === 'comma' ? ['comma', 'point'] : ['point', 'comma']
    const names = marks.map((one) => (one === 'comma' ? 'comma' : 'number'))
    const doubt = odd ? { cell: odd, readings: marks.map((one) => numberIn(odd, one)), types: names } : null
    return { type: names[0], doubt }
  }
  // Without a day, week or year, `5M` may be five million.
  if (shareOf(durationIn) >= MOST && cells.some((cell) => !/\dm$/i.test(cell)))
    return { type: 'duration', doubt: null }
  const [byDay, byMonth] = ['day', 'month'].map((order) => shareOf((cell) => dateIn(cell, order, isCompact)))
  if (Math.max(byDay, byMonth) < MOST) return { type: 'text', doubt: null }
  if (byDay !== byMonth) return { type: byDay > byMonth ? 'day' : 'month', doubt: null }
  const odd = cells.find(
    (cell) =>
      dateIn(cell, 'day') !== dateIn(cell, 'month') && !cell.includes('.') && !Number.isNaN(dateIn(cell)),
  )
  if (!odd) return { type: 'day', doubt: null }
  const orders = mark === 'point' ? ['month', 'day'] : ['day', 'month']
  const readings = orders.map((order) => dateText(dateIn(odd, order)))
  return { type: orders[0], doubt: { cell: odd, readings, types: orders } }
}

/** Whether the cells are codes: digits that a number would change, because of leading zeros or a value above 2⁵³. */
const isCode = (cells) =>
  cells.every((cell) => /^\d+$/.test(cell)) && cells.some((cell) => String(Number(cell)) !== cell)

export const isDay = (cell) => ['day', 'month'].some((type) => Number.isFinite(types[type].read(cell)))

/** Whether a cell is a number or a date. */
export const isValue = (cell) =>
  ['number', 'comma'].some((type) => Number.isFinite(types[type].read(cell))) || isDay(cell)
