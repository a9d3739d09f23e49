/** The rows of a table in a picture, with their names if the table has names. */
import type { SentTable } from '../data/shapes.ts'
import { clipped } from '../labels.ts'
import { short } from '../numbers.ts'

const LONGEST = 14

interface NamedAxis {
  readonly xLabel: string
  readonly xText?: (place: number) => string
}

/** The properties of a chart whose x are row numbers from 1. */
export function namedAxis(table: SentTable | null, xLabel: string): NamedAxis {
  if (!table || table.heading === null) return { xLabel }
  const xText = (place: number) => {
    if (!Number.isInteger(place) || place < 1 || place > table.rows) return ''
    return clipped(table.nameOf(place - 1), LONGEST)
  }
  return { xLabel: table.heading, xText }
}

/** The names and the places in the table of the rows of a picture; `rowAt(i)`: the place of a row among those sent. */
export const ofRows = (table: SentTable, rowAt: (i: number) => number = (i) => i) => ({
  nameOf: (i: number) => table.nameOf(rowAt(i)),
  rowOf: (i: number) => table.rowOf(rowAt(i)),
})

/** The text of the place of each bar of a histogram. */
export const ofBins = (edges: ArrayLike<number>) => ({
  acrossOf: (i: number) => `${short(edges[i])} to ${short(edges[i + 1])}`,
})
