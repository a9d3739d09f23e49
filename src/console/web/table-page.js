/** The parts of the page of an operation on tables, in a script that other pages do not load. */
export { bodyOf, requestOf } from './data/request.js'
export { RowResults } from './row-results.js'
export { textEntry, textOfExample } from './table-entry.js'
export { TableInput } from './table-input.js'
