/** The parts of a page whose operation takes a table: a script that other pages do without. */
export { bodyOf, requestOf } from './data/request.js'
export { RowResults } from './row-results.js'
export { textEntry, textOfExample } from './table-entry.js'
export { TableInput } from './table-input.js'
