/** The modules of the operations, each of which is an `Operation` (operation.ts), by the paths of the operations. */

/** The names of the modules of operations with tables; the bundler replaces it by their list. */
declare const WITH_TABLES: string

export const moduleOf = (path: string): string =>
  path.endsWith('/columns') ? 'columns' : path.replaceAll('/', '-')

/**
 * The name of the script that contains the module: that of the operations with tables, or the other one.
 * @param path the path without /quantlib/
 */
export const scriptOf = (path: string): 'tables' | 'formulas' =>
  WITH_TABLES.split(' ').includes(moduleOf(path)) ? 'tables' : 'formulas'
