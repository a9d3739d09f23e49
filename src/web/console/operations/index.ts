/** The name of the module of an operation, and the script that contains it, by the path of the operation. */

/** The names of the modules in tables.ts; the bundler replaces it by their list. */
declare const WITH_TABLES: string

export const moduleOf = (path: string): string =>
  path.endsWith('/columns') ? 'columns' : path.replaceAll('/', '-')

/** The script that contains the module. @param path the path without /quantlib/ */
export const scriptOf = (path: string): 'tables' | 'formulas' =>
  WITH_TABLES.split(' ').includes(moduleOf(path)) ? 'tables' : 'formulas'
