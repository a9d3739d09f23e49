/**
 * How each operation is previewed and drawn: the module is named after the path. It has
 * `preview(values)`, the reply's data or what the picture needs of it; `headline(data, table)`, the numbers to show large; and
 * `Picture({ values, data })`.
 */
export const loadOperation = (path) =>
  path.endsWith('/columns')
    ? import('./columns.js')
    : import(`./${path.replace('/quantlib/', '').replaceAll('/', '-')}.js`)
