/**
 * The preview and the picture of each operation: the module is named after the path. It has
 * `preview(values)`, the reply's data or what the picture needs of it; `headline(data, table)`, the numbers to show large; and
 * `Picture({ values, data })`.
 */
export const moduleOf = (path) => (path.endsWith('/columns') ? 'columns' : path.replaceAll('/', '-'))

/**
 * The script that has the module: of those with tables, which the bundler lists, or of the others.
 * @param path below /quantlib/
 */
export const scriptOf = (path) => (WITH_TABLES.split(' ').includes(moduleOf(path)) ? 'tables' : 'formulas')
