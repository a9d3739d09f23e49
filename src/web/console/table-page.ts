/** The parts of the page of an operation on tables, in a script that other pages do not load. */

export { carriedMapping } from './data/carried-mapping.ts'
export { bodyOf } from './data/json-body.ts'
export { windowOf } from './data/ratings.ts'
export { requestOf } from './data/request.ts'
export { FilePage } from './file-page.tsx'
export { Sheet } from './sheet.tsx'
export { textEntry, textOfExample } from './table-entry.ts'
