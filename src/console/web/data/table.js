/** The parts of a table that its readers make alike, and the error that names its first fault. */

/** Message and place of the first fault of a table. */
export class TableError extends Error {}

/** `names`, or for null names by number. */
export const namesFor = (columns, names) =>
  names ?? Array.from({ length: columns }, (_, i) => `Column ${i + 1}`)

/** The words of each column, from a Map of word and place or null for each; null where no column has words. */
export const wordsOf = (maps) =>
  maps.some((map) => map !== null) ? maps.map((map) => map && [...map.keys()]) : null

/** One line of several numbers is a list where a column is wanted. */
export function asColumn(table) {
  if (table.rows !== 1 || table.columns === 1) return table
  return { ...table, rows: table.columns, columns: 1, names: namesFor(1, null) }
}
