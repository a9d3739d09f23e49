/** The points of one output against a column of the table that was sent. */
// @ts-nocheck: to be converted
import { isDate, isNumeric } from '../data/column-types.ts'

const MOST_POINTS = 2_000
const MOST_SERIES = 4
/** The most points that lines join; more are drawn as dots. */
const MOST_JOINED = 400

/** The columns that can be the x axis: numbers or dates that are not the same in every row. */
export const acrossOf = ({ given, rows, rowOf }) =>
  given.columns.flatMap((column, i) => {
    if (!isNumeric(column) && !isDate(column)) return []
    const first = column.values[rowOf(0)]
    for (let row = 1; row < rows; row++) if (column.values[rowOf(row)] !== first) return [i]
    return []
  })

/** The column whose few words divide the rows into series, or -1. */
export const seriesOf = ({ given, heading }) =>
  given.columns.findIndex(
    ({ name, words }) =>
      words !== null && name !== heading && words.length > 1 && words.length <= MOST_SERIES,
  )

/**
 * → `{ series, step, isJoined }`: each series has a `name` (null if there is one series), and `x`, `y` and `rows`, sorted by x;
 * rows without a number are left out. `step`: one row in so many is drawn. `isJoined`: lines join the points.
 * @param values the output of each row, NaN in a row that failed
 * @param across the number of the column on the x axis, or -1 for row numbers
 */
export function against(values, table, across) {
  const { given, rowOf } = table
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS))
  const xOf = across < 0 ? (row) => row + 1 : (row) => given.columns[across].values[rowOf(row)]
  const by = given.columns[seriesOf(table)]
  const made = (by?.words ?? [null]).map((name) => ({ name, rows: [] }))
  for (let row = 0; row < values.length; row += step) {
    if (Number.isNaN(values[row]) || Number.isNaN(xOf(row))) continue
    const place = by === undefined ? 0 : by.values[rowOf(row)]
    made[place]?.rows.push(row)
  }
  const series = made
    .filter(({ rows }) => rows.length > 0)
    .map(({ name, rows }) => {
      const sorted = rows.sort((a, b) => xOf(a) - xOf(b))
      return { name, rows: sorted, x: sorted.map(xOf), y: sorted.map((row) => values[row]) }
    })
  const isJoined =
    across >= 0 &&
    values.length <= MOST_JOINED &&
    series.every(({ x }) => x.every((at, i) => i === 0 || at > x[i - 1]))
  return { series, step, isJoined }
}
