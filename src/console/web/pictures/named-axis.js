/** An axis of rows, by their names where the table has names. */

import { clipped } from '../labels.js'

const LONGEST = 14

/** `xLabel` and `xText` of a chart whose x are places from 1. `table`: as request.js shows it, or null. */
export function namedAxis(table, xLabel) {
  if (!table || table.heading === null) return { xLabel }
  const xText = (place) => {
    if (!Number.isInteger(place) || place < 1 || place > table.rows) return ''
    return clipped(table.nameOf(place - 1), LONGEST)
  }
  return { xLabel: table.heading, xText }
}
