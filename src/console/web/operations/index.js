/**
 * How each operation is previewed and drawn: the module is named after the path. It has
 * `preview(values)`, the reply's data or what the picture needs of it; `headline(data, table)`, the numbers to show large; and
 * `Picture({ values, data })`.
 */
export const loadOperation = (path) =>
  load(path.endsWith('/columns') ? 'columns' : path.replace('/quantlib/', '').replaceAll('/', '-'))

/** The bundle has all of them in one file (bundle.ts). */
const load = (name) => import(`./${name}.js`)
