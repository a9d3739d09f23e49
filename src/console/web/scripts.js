/** The scripts behind the first page: a page needs up to two of them, which its address tells before the others are there. */
import { scriptOf } from './operations/index.js'

const loads = {
  'operation-page': () => import('./operation-page.js'),
  'account-pages': () => import('./account/account-pages.js'),
  formulas: () => import('./operations/formulas.js'),
  tables: () => import('./operations/tables.js'),
}

export const all = Object.keys(loads)

/** Name → module, or LOST, of those that were loaded. */
export const loaded = {}

/** In place of a module that cannot be loaded. */
export const LOST = {}

export async function load(name) {
  loaded[name] ??= await loads[name]().catch(() => LOST)
}

/** Names of the scripts of a page. @param route the address after #, without a query */
export function scriptsFor(route) {
  const path = route.slice('#/'.length)
  if (path === '') return []
  if (path !== 'batch' && !path.includes('/')) return ['account-pages']
  return ['operation-page', scriptOf(path)]
}
