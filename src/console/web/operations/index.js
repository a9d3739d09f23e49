/**
 * How each operation is previewed and drawn: the module is named after the path. It has
 * `preview(values)`, the reply's data or what the picture needs of it; `headline(data, table)`, the numbers to show large; and
 * `Picture({ values, data })`.
 */
export const moduleOf = (path) => (path.endsWith('/columns') ? 'columns' : path.replaceAll('/', '-'))

/** The script that has the module: of those on large tables, or of the others. @param path below /quantlib/ */
export const scriptOf = (path) => (/^(ml-|batch$|columns$)/.test(moduleOf(path)) ? 'tables' : 'formulas')

/** Whether the page has a table (table-page.js); the bundler makes the list of those modules. */
export const hasTable = (path) => WITH_TABLES.split(' ').includes(moduleOf(path))
