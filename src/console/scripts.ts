/** Scripts for browsers: types removed, packages under paths of this service. */
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { posix } from 'node:path'

interface PackageFile {
  readonly path: string
  readonly text: () => string
}

/** Name in an import → the module that browsers get. */
const modules: Readonly<Record<string, PackageFile>> = {
  preact: { path: '/assets/packages/preact.js', text: () => packageFile('preact', './preact.mjs') },
  'preact/hooks': {
    path: '/assets/packages/preact-hooks.js',
    text: () => packageFile('preact/hooks', './hooks.mjs'),
  },
  htm: { path: '/assets/packages/htm.js', text: () => packageFile('htm', './htm.mjs') },
  // The minified file defines a global; half the size of the package's module.
  uplot: {
    path: '/assets/packages/uplot.js',
    text: () => `${packageFile('uplot', './uPlot.iife.min.js')}\nexport default uPlot\n`,
  },
  // The package defines a property of the global `this`, which a module does not have.
  papaparse: {
    path: '/assets/packages/papaparse.js',
    text: () =>
      `const scope = {}\n;(function () {\n${packageFile('papaparse', './papaparse.min.js')}\n}).call(scope)\nexport default scope.Papa\n`,
  },
  qr: { path: '/assets/packages/qr.js', text: () => packageFile('qr', './index.js') },
}

/** The files of packages that the pages use. */
export const packageAssets: readonly PackageFile[] = [
  ...Object.values(modules),
  { path: '/assets/packages/uplot.css', text: () => packageFile('uplot', './uPlot.min.css') },
]

const packageFile = (name: string, file: string): string =>
  withPaths(
    readFileSync(new URL(file, import.meta.resolve(name)), 'utf8').replace(
      /^\/\/# sourceMappingURL=.*$/m,
      '',
    ),
  )

/**
 * Browsers need 'wasm-unsafe-eval' in the content security policy for WebAssembly; there the matrix products run in plain
 * loops, with the same results bit for bit.
 */
const REPLACED = '/assets/numerics/matrices/matrix-workspace.ts'
const REPLACEMENT = '/assets/console/web/kernels/plain-workspace.js'

/** The text of a file as browsers run it. */
export function browserScript(path: string, text: string): string {
  if (path === REPLACED) return `export * from '${REPLACEMENT}'\n`
  if (path.endsWith('.ts')) return withoutTypes(text)
  return path.endsWith('.js') ? withPaths(text) : text
}

const withPaths = (text: string): string =>
  text.replace(/(\bfrom\s*|\bimport\s*\(?\s*)(["'])([^"'./][^"']*)\2/g, (whole, keyword, quote, name) =>
    name in modules ? `${keyword}${quote}${modules[name].path}${quote}` : whole,
  )

/** Node 24 prints a warning at the first use of this function, which no operator can act on. */
function withoutTypes(text: string): string {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emitWarning
  }
}

const IMPORT = /^(?:import|export)\b(?! type\b)(?:[^'"();=]*?\bfrom)?\s*['"]([^'"]+)['"]/gm

/**
 * The paths of the modules that a script imports statically, directly or not, itself included.
 * @param textOf the text of a module of the console or of the numerics by its path; null for others
 */
export function preloads(entry: string, textOf: (path: string) => string | null): string[] {
  const found = new Set<string>()
  const visit = (path: string): void => {
    if (found.has(path)) return
    found.add(path)
    for (const [, specifier] of textOf(path)?.matchAll(IMPORT) ?? [])
      visit(modules[specifier!]?.path ?? posix.join(posix.dirname(path), specifier!))
  }
  visit(entry)
  return [...found]
}
