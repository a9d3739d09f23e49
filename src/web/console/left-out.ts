/** The rows of a table that were set aside, at their places among the others: their numbers are those after the last row. */
import type { AsideGroup, Table } from './data/table.ts'
import type { TableColumn } from './virtual-table.tsx'

interface LeftOut {
  /** In the order of the file. */
  readonly rows: readonly AsideGroup['rows'][number][]
  /** The number of the first of them. */
  readonly first: number
}

/** Those that the person has not taken back. */
export const leftOut = ({ aside, rows: first }: Pick<Table, 'aside' | 'rows'>): LeftOut => ({
  rows: aside
    .filter(({ isTaken }) => !isTaken)
    .flatMap(({ rows }) => rows)
    .sort((a, b) => a.number - b.number),
  first,
})

/** The order with the rows that were left out, each before the first row with a higher number. */
export function amongRows(order: Uint32Array, left: LeftOut, numberOf: (row: number) => number): Uint32Array {
  const all = new Uint32Array(order.length + left.rows.length)
  let [from, out] = [0, 0]
  for (let i = 0; i < all.length; i++)
    all[i] =
      from < order.length && !(out < left.rows.length && left.rows[out].number < numberOf(order[from]))
        ? order[from++]
        : left.first + out++
  return all
}

/** The column, in which rows that were left out have the cells of the file. `at`: its place there; null: the file has it not. */
export function withLeftOut(column: TableColumn, left: LeftOut, at: number | null): TableColumn {
  if (left.rows.length === 0) return column
  const cellOf = (row: number) => (at === null ? '' : (left.rows[row - left.first].cells[at] ?? ''))
  const isOut = (row: number) => row >= left.first
  const { text, raw, mark } = column
  return {
    ...column,
    text: (row) => (isOut(row) ? cellOf(row) : text(row)),
    raw: (row) => (isOut(row) ? '' : (raw ?? text)(row)),
    mark: (row) => (isOut(row) ? null : (mark?.(row) ?? null)),
  }
}

/** The width of a name with the button that takes its row back. */
const BUTTON_PX = 170

/** The same of the column that names the rows; `at`: -1 if rows have numbers only. */
export function namesWithLeftOut(column: TableColumn, left: LeftOut, at: number): TableColumn {
  if (left.rows.length === 0) return column
  const { text } = withLeftOut(column, left, at)
  const nameOf = (row: number) => text(row) || (left.rows[row - left.first]?.number ?? '')
  return {
    ...withLeftOut(column, left, at),
    text: nameOf,
    controlsPx: Math.max(column.controlsPx ?? 0, BUTTON_PX),
  }
}
