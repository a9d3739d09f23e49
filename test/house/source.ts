/** Source files as the rules of the house see them: path, text, code without its comments, imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

export interface Source {
  /** Relative to the project's root, with slashes. */
  readonly path: string
  readonly text: string
  /** The text without comments and without the text of templates (a template may show code to a reader). */
  readonly code: string
  /** What it imports: files as paths from the project's root, packages and `node:` modules by their names. */
  readonly imports: readonly string[]
}

const root = join(import.meta.dirname, '../..')

export function sources(...patterns: string[]): Source[] {
  return globSync(patterns, { cwd: root })
    .sort()
    .map((path) => source(path, readFileSync(join(root, path), 'utf8')))
}

export function source(path: string, text: string): Source {
  const code = codeOf(text)
  return { path, text, code, imports: importsOf(code).map((specifier) => resolved(path, specifier)) }
}

/** One token each that may hold what looks like another: comment, string, template, regular expression. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?;{}]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//g

const codeOf = (text: string) =>
  text.replace(TOKEN, (token) => {
    if (/^['"]/.test(token)) return token
    // What stands in ${…} is code.
    return token.startsWith('`')
      ? [...token.matchAll(/(?<!\\)\$\{([^}]*)\}/g)].map((m) => m[1]).join(' ')
      : ' '
  })

/** `import … from`, `export … from`, `import '…'`, `import('…')`, and files started by URL: workers. */
const IMPORT =
  /\b(?:import|export)\b[^'";]*?\bfrom\s*['"]([^'"]+)['"]|\bimport\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]|new URL\(\s*['"]([^'"]+\.ts)['"]\s*,\s*import\.meta\.url/g

const importsOf = (code: string) =>
  [...code.matchAll(IMPORT)].map((match) => match.slice(1).find((specifier) => specifier !== undefined)!)

const resolved = (path: string, specifier: string) =>
  specifier.startsWith('.') ? posix.join(dirname(path), specifier) : packageName(specifier)

/** `typebox/compile` is of the package `typebox`, `@scope/name/part` of `@scope/name`; `node:` modules stay whole. */
const packageName = (specifier: string) =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
