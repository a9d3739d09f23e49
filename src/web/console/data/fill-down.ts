/** Columns whose values stand only in the first row of a group: merged cells of a workbook, and exports that leave repeated labels out. */
import type { Row } from './aside-rows.ts'
import { numberIn } from './cells.ts'
import type { AsideKind } from './table.ts'

/** A column that can be filled down. */
export interface Grouping {
  /** The key by which the person takes it. */
  readonly key: string
  readonly place: number
  /** The number of its empty cells. */
  readonly count: number
  readonly isMerged: boolean
}

const LEAST_ROWS = 4
/** The least share of empty cells in a column of groups: their mean size is about two. */
const LEAST_EMPTY = 0.4

/** The columns of groups among rows of observations. Without merged cells, these are the first columns, each within the one before it. */
export function groupingsOf(rows: readonly Row[], columns: number): Grouping[] {
  const made = (place: number, count: number, isMerged: boolean): Grouping => ({
    key: `down ${place}`,
    place,
    count,
    isMerged,
  })
  const merged = new Map<number, number>()
  for (const { below = [] } of rows)
    for (const place of below) merged.set(place, (merged.get(place) ?? 0) + 1)
  if (merged.size > 0)
    return [...merged]
      .filter(([place]) => place < columns && cellOf(rows[0], place) !== '')
      .sort(([a], [b]) => a - b)
      .map(([place, count]) => made(place, count, true))
  if (rows.length < LEAST_ROWS) return []
  const found: Grouping[] = []
  for (let place = 0; place < columns - 1; place++) {
    const count = emptyOf(rows, place)
    const isWithin =
      place === 0 || rows.every((row) => cellOf(row, place - 1) === '' || cellOf(row, place) !== '')
    if (count < LEAST_EMPTY * rows.length || !isWithin || !areLabels(rows, place)) break
    found.push(made(place, count, false))
  }
  if (found.length === 0) return []
  const isFull = (place: number) => emptyOf(rows, place) === 0
  return Array.from({ length: columns }, (_, place) => place).some(isFull) ? found : []
}

/**
 * The rows with the values of groups in all their cells. Headings and notes between the rows are in no group; behind a total, or
 * behind a blank row without a label below it, nothing says which group goes on.
 */
export function filledDown(
  rows: readonly Row[],
  groupings: readonly Grouping[],
  kinds: ReadonlyMap<number, AsideKind>,
): Row[] {
  const last = groupings.map(() => '')
  const areMerged = groupings.some(({ isMerged }) => isMerged)
  const isUnlabelled = (row: Row) => groupings.every(({ place }) => cellOf(row, place) === '')
  return rows.map((row, i) => {
    const kind = kinds.get(i)
    if (kind === 'total' && !areMerged) {
      const label = row.cells.findIndex((cell) => cell !== '')
      const ended = groupings.findIndex(({ place }) => place >= label)
      last.fill('', ended)
    }
    if (kind !== undefined && kind !== 'hidden') return row
    if (row.isAfterBlank && !areMerged && isUnlabelled(row)) last.fill('')
    const cells = [...row.cells]
    for (const [group, { place }] of groupings.entries()) {
      const isEmpty = cellOf(row, place) === ''
      if (!isEmpty) last[group] = cellOf(row, place)
      else if (!areMerged || row.below?.includes(place)) {
        while (cells.length < place) cells.push('')
        cells[place] = last[group]
      }
    }
    return { ...row, cells }
  })
}

const cellOf = ({ cells }: Row, place: number): string => cells[place] ?? ''

const emptyOf = (rows: readonly Row[], place: number): number =>
  rows.reduce((sum, row) => sum + Number(cellOf(row, place) === ''), 0)

/**
 * Whether the values of a column begin groups: the first row has one, each differs from the one before it, and some follow empty
 * cells. Measures and samples that are shorter than others have no such.
 */
function areLabels(rows: readonly Row[], place: number): boolean {
  const cells = rows.map((row) => cellOf(row, place))
  const labels = cells.filter((cell) => cell !== '')
  const isMeasure = (cell: string) => Number.isFinite(numberIn(cell)) && !Number.isInteger(numberIn(cell))
  return (
    cells[0] !== '' &&
    cells.indexOf('') < cells.findLastIndex((cell) => cell !== '') &&
    labels.every((label, i) => label !== labels[i - 1] && !isMeasure(label))
  )
}
