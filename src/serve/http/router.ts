/** Finds the route for a method and a path, and says what to do where there is none. All paths are fixed texts. */
import type { IncomingMessage } from 'node:http'
import { noSuchMethod, noSuchPath } from '../../base/errors/requests.ts'
import type { Failure } from '../../base/failure.ts'
import { MAX_PATH_CHARACTERS } from '../../base/limits/callers.ts'
import { nearest } from '../../compute/body/suggestions.ts'

export interface Routed {
  readonly method: 'GET' | 'POST'
  readonly path: string
}

export interface Router<Target> {
  /** HEAD is served where GET is. */
  find(path: string, method: string): Target | null
  /** Methods served at a path, as they are declared; empty: no such path. */
  methods(path: string): readonly Routed['method'][]
  /** Why `find` returned null. */
  failure(path: string, method: string): Failure
}

export function routerOf<Target>(targets: readonly (Routed & { readonly target: Target })[]): Router<Target> {
  const byPath = new Map<string, Map<string, Target>>()
  for (const { method, path, target } of targets) {
    const byMethod = byPath.get(path) ?? new Map<string, Target>()
    byPath.set(path, byMethod.set(method, target))
    if (method === 'GET') byMethod.set('HEAD', target)
  }
  const suggested = [...byPath.keys()].filter((path) => !isFile(path))
  const methods = (path: string) =>
    targets.filter((target) => target.path === path).map((target) => target.method)
  return {
    find: (path, method) => byPath.get(path)?.get(method) ?? null,
    methods,
    failure: (path, method) =>
      byPath.has(path) ? noSuchMethod(path, methods(path), method) : unknownPath(path, suggested),
  }
}

/** The path of a request's target, without escapes (`%62s` is `bs`). The target may be an absolute URL (RFC 9112, 3.2.2). */
export function pathOf({ url }: IncomingMessage): string {
  const target = url!
  const query = target.indexOf('?')
  const path = query === -1 ? target : target.slice(0, query)
  const isPlain = path.charCodeAt(0) === SLASH && !path.includes('%')
  return isPlain ? path : unescaped(path.replace(/^https?:\/\/[^/]*/i, ''))
}

const SLASH = 0x2f

function unescaped(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

/** Pages and files, hundreds of them, are not suggested: comparing a path with all of them would take half a millisecond. */
const isFile = (path: string): boolean => /^\/(assets|clients|deploy|docs)\//.test(path)

/** The message suggests the closest path, if one is similar; repeated and trailing slashes are ignored. */
function unknownPath(path: string, paths: readonly string[]): Failure {
  const shown = path.slice(0, MAX_PATH_CHARACTERS)
  const typed =
    path.length > MAX_PATH_CHARACTERS ? null : shown.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
  return noSuchPath(shown, typed === null ? null : nearest(typed, paths))
}
