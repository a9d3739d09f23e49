/**
 * The name of the module of an operation, by its path. Each module exports `preview(values)`, which returns the data of a reply or
 * the part that the picture needs; `headline(data, table)`, the numbers to show large; and the view `Picture({ values, data })`.
 */
// @ts-nocheck: to be converted
export const moduleOf = (path) => (path.endsWith('/columns') ? 'columns' : path.replaceAll('/', '-'))

/**
 * The name of the script that contains the module: that of the operations with tables, which the bundler lists, or the other one.
 * @param path the path without /quantlib/
 */
export const scriptOf = (path) => (WITH_TABLES.split(' ').includes(moduleOf(path)) ? 'tables' : 'formulas')
