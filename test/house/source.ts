/** Source files for the rules of the house: path, text, code without comments, imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

export interface Source {
  /** Relative to the project's root, with slashes. */
  readonly path: string
  readonly text: string
  /** The text without comments and without the text of templates, which may contain code as text. */
  readonly code: string
  /** Imported modules: files as paths from the project's root, packages and `node:` modules by their names. */
  readonly imports: readonly string[]
}

const root = join(import.meta.dirname, '../..')

export function sources(...patterns: string[]): Source[] {
  return globSync(patterns, { cwd: root, exclude: ['**/node_modules/**'] })
    .sort()
    .map((path) => source(path, readFileSync(join(root, path), 'utf8')))
}

export function source(path: string, text: string): Source {
  const code = codeOf(text)
  const imports = importsOf(code).map((specifier) => resolved(path, specifier))
  return { path, text, code, imports }
}

/** Tokens that may contain the delimiters of another: comment, string, template, regular expression. */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`|(?<=[=(,:[!&|?;{}]\s*)\/(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\//g

const codeOf = (text: string) =>
  text.replace(TOKEN, (token) => {
    if (/^['"]/.test(token)) return token
    // The text inside ${…} is code.
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

/** `typebox/compile` → `typebox`, `@scope/name/part` → `@scope/name`; `node:` modules are unchanged. */
const packageName = (specifier: string) =>
  specifier.startsWith('node:')
    ? specifier
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')
