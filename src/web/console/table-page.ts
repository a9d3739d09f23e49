/** The parts of the page of an operation on tables, in a script that other pages do not load. */
export { bodyOf, requestOf } from './data/request.ts'
export { RowResults } from './row-results.tsx'
export { textEntry, textOfExample } from './table-entry.ts'
export { TableInput } from './table-input.tsx'
