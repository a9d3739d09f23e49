/** An axis of rows, with their names if the table has names. */
import type { SentTable } from '../data/shapes.ts'
import { clipped } from '../labels.ts'

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
