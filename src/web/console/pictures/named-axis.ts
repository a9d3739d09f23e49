/** An axis of rows, with their names if the table has names. */
// @ts-nocheck: to be converted
import { clipped } from '../labels.ts'

const LONGEST = 14

/** `xLabel` and `xText` of a chart whose x are row numbers from 1. `table`: `shown` of request.ts, or null. */
export function namedAxis(table, xLabel) {
  if (!table || table.heading === null) return { xLabel }
  const xText = (place) => {
    if (!Number.isInteger(place) || place < 1 || place > table.rows) return ''
    return clipped(table.nameOf(place - 1), LONGEST)
  }
  return { xLabel: table.heading, xText }
}
