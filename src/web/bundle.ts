/** Bundles the scripts and style sheets of the console and of the operators' page into few files: each request costs time. */
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { BuildOptions, Plugin } from 'esbuild'

const WEB = fileURLToPath(new URL('./console/', import.meta.url))
const OPERATORS = '../operators/'

interface Site {
  readonly page: string
  /** Name → entry module of each script that contains all modules it needs. */
  readonly scripts: Readonly<Record<string, string>>
  /** Entry modules of the scripts that one page loads together; modules that several of them need are in the script SHARED. */
  readonly parts: readonly string[]
  /** Name → patterns of the files of a style sheet, in their order. */
  readonly styles: Readonly<Record<string, readonly string[]>>
}

/** The files of each listener; their names are relative to the folder `web/` of the console. */
const SITES = {
  console: {
    page: 'index.html',
    scripts: {
      start: 'start.ts',
      reference: 'reference.ts',
      worker: 'data/worker.ts',
      'rows-of-workbook': 'data/rows-of-workbook.ts',
      'rows-of-columns': 'data/rows-of-columns.ts',
      'qr-path': 'account/qr-path.ts',
      'kept-runs': 'runs/kept-runs.ts',
    },
    parts: [
      'app.tsx',
      'operation-page.tsx',
      'account/account-pages.ts',
      'operations/formulas.ts',
      'search.tsx',
      'operations/tables.ts',
    ],
    styles: {
      app: ['{base,console}.css', '!(base|console|reference).css', '*/*.css'],
      reference: ['{base,reference}.css'],
    },
  },
  operators: {
    page: `${OPERATORS}index.html`,
    scripts: { operators: `${OPERATORS}app.tsx` },
    parts: [],
    styles: {
      operators: ['{base,console}.css', '{account,pictures}/*.css', `${OPERATORS}operator.css`],
    },
  },
} satisfies Record<string, Site>

const SHARED = 'shared'

/** The limit for each part of a workbook. */
const MOST_UNPACKED_BYTES = 100e6

/** The scripts of each site, which no setting changes: several services of a process build them once. */
const built = new Map<Site, Promise<ReadonlyMap<string, string>>>()

/** The text of each file by its path without the first `/`. The scripts are built together when the first is requested. */
export function bundle(name: keyof typeof SITES): ReadonlyMap<string, () => string | Promise<string>> {
  const site: Site = SITES[name]
  const script = (name: string) => async () => {
    const scripts = built.get(site) ?? buildScripts(site)
    built.set(site, scripts)
    scripts.catch(() => built.delete(site))
    return (await scripts).get(name)!
  }
  return new Map<string, () => string | Promise<string>>([
    // Browsers would request the icon again whenever a page changes its address.
    ['index.html', () => withMark(textOf(site.page))],
    ['assets/mark.svg', () => textOf('mark.svg')],
    ...Object.entries(site.styles).map(
      ([name, patterns]) => [`assets/${name}.css`, () => sheets(...patterns)] as const,
    ),
    ...namesOf(site).map((name) => [`assets/${name}.js`, script(`${name}.js`)] as const),
  ])
}

const namesOf = ({ parts, scripts }: Site): string[] => [
  ...Object.keys(scripts),
  ...parts.map(nameOf),
  ...(parts.length > 0 ? [SHARED] : []),
]

/** The name of a script or module, without its extension. */
const nameOf = (file: string): string => basename(file, extname(file))

const textOf = (name: string): string => readFileSync(WEB + name, 'utf8')

/** One style sheet of several files, without comments. It contains the logo, which would be a further request. */
const sheets = (...patterns: readonly string[]): string =>
  withMark(
    patterns
      .flatMap((pattern) => globSync(pattern, { cwd: WEB }).sort())
      .map(textOf)
      .join('\n')
      .replaceAll(/\/\*.*?\*\//gs, '')
      .replaceAll(/\n\s*/g, '\n'),
  )

/** A text that contains the logo in place of its address. */
const withMark = (text: string): string =>
  text.replace('/assets/mark.svg', `data:image/svg+xml,${encodeURIComponent(textOf('mark.svg'))}`)

async function buildScripts({ parts, scripts }: Site): Promise<ReadonlyMap<string, string>> {
  const { build, stop } = await import('esbuild')
  const options = {
    outdir: '/',
    absWorkingDir: WEB,
    write: false,
    bundle: true,
    format: 'esm',
    minify: true,
    // esbuild does not read tsconfig.json for the modules that a plugin resolves.
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'silent',
    define: { WITH_TABLES: JSON.stringify(namesOfTables().join(' ')) },
  } satisfies BuildOptions
  const partsOf = (files: readonly string[], shared: readonly string[], more: BuildOptions) =>
    build({
      ...options,
      ...more,
      entryPoints: Object.fromEntries(files.map((file) => [nameOf(file), file])),
      plugins: [importing(parts, shared), forBrowsers],
    })
  const alone = await Promise.all(parts.map((file) => partsOf([file], [], { metafile: true })))
  const shared = modulesOfSeveral(alone.map(({ metafile }) => Object.keys(metafile!.inputs)))
  const builds = await Promise.all([
    build({ ...options, entryPoints: scripts, plugins: [forBrowsers] }),
    partsOf(parts, shared, { splitting: true, chunkNames: SHARED }),
  ])
  await stop()
  return new Map(
    builds.flatMap(({ outputFiles }) => outputFiles!.map(({ path, text }) => [basename(path), text])),
  )
}

const modulesOfSeveral = (lists: readonly (readonly string[])[]): string[] => {
  const all = lists.flat()
  return [...new Set(all.filter((name, place) => all.indexOf(name) < place))]
}

/** Imports all shared modules into each part, because the bundler would make one file for each set of parts that share some. */
const importing = (parts: readonly string[], modules: readonly string[]): Plugin => ({
  name: 'parts',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === 'entry-point' ? { path: join(WEB, path) } : undefined,
    )
    const imports = modules.map((name) => `import '${join(WEB, name)}'\n`).join('')
    onLoad({ filter: /./ }, ({ path }) => {
      const file = parts.find((one) => path === join(WEB, one))
      if (file === undefined) return
      return { contents: imports + textOf(file), loader: 'tsx', resolveDir: dirname(path) }
    })
  },
})

/** The names of the modules of operations with tables, which the first script must know before it loads them. */
const namesOfTables = (): string[] =>
  Array.from(
    textOf('operations/tables.ts').matchAll(/^import \* as .*\/([\w-]+)\.tsx?'$/gm),
    ([, name]) => name,
  )

const forBrowsers: Plugin = {
  name: 'quantd',
  setup({ onLoad, onResolve }) {
    // The service makes these modules from its declarations and settings.
    onResolve({ filter: /\/(forms|sign-up|acts)\.js$/ }, ({ path }) => ({
      path: `/assets/${basename(path)}`,
      external: true,
    }))
    // Modules that are imported dynamically are files of their own.
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind.startsWith('dynamic') ? { path: `/assets/${nameOf(path)}.js`, external: true } : undefined,
    )
    // Some kilobytes of a workbook can claim to hold gigabytes.
    onLoad({ filter: /\/hucre\/dist\/limits\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /(MAX_DECOMPRESSED_BYTES) = [^;]+/,
        `$1 = ${MOST_UNPACKED_BYTES}`,
      ),
    }))
  },
}
