/** Loads the scripts of the pages other than the first one. The address of a page tells which of them it needs, at most two. */
import { scriptOf } from './operations/index.ts'

export interface Scripts {
  readonly 'operation-page': typeof import('./operation-page.tsx')
  readonly 'account-pages': typeof import('./account/account-pages.ts')
  readonly formulas: typeof import('./operations/formulas.ts')
  readonly search: typeof import('./search.tsx')
  readonly tables: typeof import('./operations/tables.ts')
}
type Name = keyof Scripts

const loads: { readonly [One in Name]: () => Promise<Scripts[One]> } = {
  'operation-page': () => import('./operation-page.tsx'),
  'account-pages': () => import('./account/account-pages.ts'),
  search: () => import('./search.tsx'),
  formulas: () => import('./operations/formulas.ts'),
  tables: () => import('./operations/tables.ts'),
}

export const all = Object.keys(loads) as Name[]

/** The value for a module that could not be loaded. */
export const LOST = {}

/** By name, the modules that were loaded, or LOST. */
export const loaded: { [One in Name]?: Scripts[One] | typeof LOST } = {}

export async function load(name: Name): Promise<void> {
  loaded[name] ??= await loads[name]().catch(() => LOST)
}

/** The search, once it is loaded. */
export const loadedSearch = (): Scripts['search'] | undefined => {
  const { search } = loaded
  return search !== undefined && 'Search' in search ? search : undefined
}

/** The names of the scripts of a page. @param route the address from # on, without a query */
export function scriptsFor(route: string): Name[] {
  const path = route.slice('#/'.length)
  if (path === '') return []
  if (path === 'file') return ['tables']
  if (path !== 'batch' && !path.includes('/')) return ['account-pages']
  return ['operation-page', scriptOf(path)]
}
