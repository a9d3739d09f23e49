/** An axis of rows, by their names where the table has names. */

const LONGEST = 14

/** `xLabel` and `xText` of a chart whose x are places from 1. `table`: as request.js shows it, or null. */
export function namedAxis(table, xLabel) {
  if (!table || table.heading === null) return { xLabel }
  const xText = (place) => {
    if (!Number.isInteger(place) || place < 1 || place > table.rows) return ''
    const name = table.nameOf(place - 1)
    return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name
  }
  return { xLabel: table.heading, xText }
}
