/** Loads the scripts of the pages other than the first one. The address of a page tells which of them it needs, at most two. */
// @ts-nocheck: to be converted
import { scriptOf } from './operations/index.ts'

const loads = {
  'operation-page': () => import('./operation-page.tsx'),
  'account-pages': () => import('./account/account-pages.ts'),
  formulas: () => import('./operations/formulas.ts'),
  tables: () => import('./operations/tables.ts'),
}

export const all = Object.keys(loads)

/** By name, the modules that were loaded, or LOST. */
export const loaded = {}

/** The value for a module that could not be loaded. */
export const LOST = {}

export async function load(name) {
  loaded[name] ??= await loads[name]().catch(() => LOST)
}

/** The names of the scripts of a page. @param route the address from # on, without a query */
export function scriptsFor(route) {
  const path = route.slice('#/'.length)
  if (path === '') return []
  if (path !== 'batch' && !path.includes('/')) return ['account-pages']
  return ['operation-page', scriptOf(path)]
}
