/** The points of one output against a column of the table that was sent. */
import type { SentTable } from '../data/shapes.ts'
import { isDate, isNumeric } from '../data/table.ts'

const MOST_POINTS = 2_000
const MOST_SERIES = 4
/** The most points that lines join; more are drawn as dots. */
const MOST_JOINED = 400

/** The columns that can be the x axis: numbers or dates that are not the same in every row. */
export const acrossOf = ({ given, rows, rowOf }: Pick<SentTable, 'given' | 'rows' | 'rowOf'>): number[] =>
  given.columns.flatMap((column, i) => {
    if (!isNumeric(column) && !isDate(column)) return []
    const first = column.values[rowOf(0)]
    for (let row = 1; row < rows; row++) if (column.values[rowOf(row)] !== first) return [i]
    return []
  })

/** The column whose few words divide the rows into series, or -1. */
export const seriesOf = ({ given, heading }: Pick<SentTable, 'given' | 'heading'>): number =>
  given.columns.findIndex(
    ({ name, words }) =>
      words !== null && name !== heading && words.length > 1 && words.length <= MOST_SERIES,
  )

/** The points of the rows with one word. */
export interface Series {
  /** null: there is one series. */
  readonly name: string | null
  /** The rows, sorted by x, without those that lack a number. */
  readonly rows: readonly number[]
  readonly x: readonly number[]
  readonly y: readonly number[]
}

interface Against {
  readonly series: readonly Series[]
  /** One row in so many is drawn. */
  readonly step: number
  /** Whether lines join the points. */
  readonly isJoined: boolean
}

/**
 * @param values the output of each row, NaN in a row that failed
 * @param across the number of the column on the x axis, or -1 for row numbers
 */
export function against(
  values: Float64Array,
  table: Pick<SentTable, 'given' | 'rowOf' | 'heading'>,
  across: number,
): Against {
  const { given, rowOf } = table
  const step = Math.max(1, Math.ceil(values.length / MOST_POINTS))
  const xOf =
    across < 0 ? (row: number) => row + 1 : (row: number) => given.columns[across].values[rowOf(row)]
  const by = given.columns[seriesOf(table)]
  const made = (by?.words ?? [null]).map((name): { name: string | null; rows: number[] } => ({
    name,
    rows: [],
  }))
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
