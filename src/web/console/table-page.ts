/** The parts of the page of an operation on tables, in a script that other pages do not load. */

export { bodyOf, requestOf } from './data/request.ts'
export { Sheet } from './sheet.tsx'
export { textEntry, textOfExample } from './table-entry.ts'
