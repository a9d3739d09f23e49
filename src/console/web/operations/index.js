/**
 * How each operation is previewed and drawn: the module is named after the path. It has
 * `preview(values)`, the reply's data or what the picture needs of it; `headline(data, table)`, the numbers to show large; and
 * `Picture({ values, data })`.
 */
export const moduleOf = (path) => (path.endsWith('/columns') ? 'columns' : path.replaceAll('/', '-'))

/** The script that has the module: of those on tables, or of the others (bundle.ts). @param path below /quantlib/ */
export const scriptOf = (path) => (/^(ml-|batch$|columns$)/.test(moduleOf(path)) ? 'tables' : 'formulas')
