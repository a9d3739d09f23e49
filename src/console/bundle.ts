/** The pages of the console and of operators, with their scripts and styles, each as one file: a slow line pays for every further request. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

const WEB = fileURLToPath(new URL('./web/', import.meta.url))
const OPERATORS = '../../operator/web/'

interface Site {
  readonly page: string
  /** Name → the module that it begins with. Each script has all that it needs. */
  readonly scripts: Readonly<Record<string, string>>
  /** The same of scripts that a page loads one after the other; what all of them need is a script of its own, SHARED. */
  readonly steps: Readonly<Record<string, string>>
  /** Name → patterns of its sheets, in their order. */
  readonly styles: Readonly<Record<string, readonly string[]>>
}

/** What each listener serves; files are named from the folder of the console. */
const SITES = {
  console: {
    page: 'index.html',
    scripts: {
      reference: 'reference.js',
      worker: 'data/worker.js',
      'rows-of-workbook': 'data/rows-of-workbook.js',
      'qr-path': 'account/qr-path.js',
    },
    steps: { start: 'start.js', app: 'app.js', pages: 'pages.js' },
    styles: {
      app: ['{base,console}.css', '!(base|console|reference).css', '*/*.css'],
      reference: ['{base,reference}.css'],
    },
  },
  operators: {
    page: `${OPERATORS}index.html`,
    scripts: { operators: `${OPERATORS}app.js` },
    steps: {},
    styles: {
      operators: ['{base,console}.css', '{account,pictures}/*.css', `${OPERATORS}operator.css`],
    },
  },
} satisfies Record<string, Site>

const SHARED = 'shared'

/** Of each part of a workbook. */
const MOST_UNPACKED_BYTES = 100e6

/** The scripts of each site, which no setting changes: several services of a process build them once. */
const built = new Map<Site, Promise<ReadonlyMap<string, string>>>()

/** Name below `/` → text of each file. The scripts are built together when the first is asked for. */
export function bundle(name: keyof typeof SITES): ReadonlyMap<string, () => string | Promise<string>> {
  const site: Site = SITES[name]
  const script = (name: string) => async () => {
    const scripts = built.get(site) ?? buildScripts(site)
    built.set(site, scripts)
    scripts.catch(() => built.delete(site))
    return (await scripts).get(name)!
  }
  return new Map<string, () => string | Promise<string>>([
    ['index.html', () => textOf(site.page)],
    ['assets/mark.svg', () => textOf('mark.svg')],
    ...Object.entries(site.styles).map(
      ([name, patterns]) =>
        [
          `assets/${name}.css`,
          () => sheets(...patterns) + (name === 'reference' ? '' : chartSheet()),
        ] as const,
    ),
    ...[...Object.keys(site.scripts), ...Object.keys(site.steps), ...sharedBy(site)].map(
      (name) => [`assets/${name}.js`, script(`${name}.js`)] as const,
    ),
  ])
}

const sharedBy = ({ steps }: Site): string[] => (Object.keys(steps).length > 1 ? [SHARED] : [])

const textOf = (name: string): string => readFileSync(WEB + name, 'utf8')

const sheets = (...patterns: readonly string[]): string =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: WEB }).sort())
    .map(textOf)
    .join('\n')

const chartSheet = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'), 'utf8')

async function buildScripts({ scripts, steps }: Site): Promise<ReadonlyMap<string, string>> {
  const { build, stop } = await import('esbuild')
  const made = (modules: Readonly<Record<string, string>>, splitting: boolean) =>
    build({
      entryPoints: Object.fromEntries(Object.entries(modules).map(([name, file]) => [name, WEB + file])),
      ...{ splitting, chunkNames: SHARED },
      outdir: '/',
      write: false,
      bundle: true,
      format: 'esm',
      minify: true,
      logLevel: 'silent',
      plugins: [forBrowsers],
    })
  const builds = await Promise.all([made(scripts, false), made(steps, true)])
  await stop()
  return new Map(
    builds.flatMap(({ outputFiles }) => outputFiles.map(({ path, text }) => [basename(path), text])),
  )
}

/** All operations as one module, in place of one file for each. */
function allOperations(text: string): string {
  const names = globSync('operations/!(index).js', { cwd: WEB }).map((file) => basename(file, '.js'))
  const imports = names.map((name, i) => `import * as operation${i} from './${name}.js'`)
  const entries = names.map((name, i) => `'${name}': operation${i}`)
  return `${imports.join('\n')}\n${text.replace(/(const load = ).*/, `$1async (name) => ({ ${entries.join(', ')} })[name]`)}`
}

const forBrowsers: Plugin = {
  name: 'quantd',
  setup({ onLoad, onResolve }) {
    // The service makes these modules from its declarations and settings.
    onResolve({ filter: /\/(forms|sign-up|acts)\.js$/ }, ({ path }) => ({
      path: `/assets/${basename(path)}`,
      external: true,
    }))
    // Files of their own, which are loaded for the first workbook and the first second factor.
    onResolve({ filter: /\/(rows-of-workbook|qr-path)\.js$/ }, ({ kind, path }) =>
      kind.startsWith('dynamic') ? { path: `/assets/${basename(path)}`, external: true } : undefined,
    )
    onLoad({ filter: /\/operations\/index\.js$/ }, ({ path }) => ({
      contents: allOperations(readFileSync(path, 'utf8')),
    }))
    // Some kilobytes of a workbook can claim to hold gigabytes.
    onLoad({ filter: /\/hucre\/dist\/limits\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /(MAX_DECOMPRESSED_BYTES) = [^;]+/,
        `$1 = ${MOST_UNPACKED_BYTES}`,
      ),
    }))
    // The first format of Intl takes a browser about 10 ms. The charts have texts of their own, and their times are in UTC.
    onLoad({ filter: /\/uPlot\.esm\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8')
        .replace(/(const numFormatter = )new Intl\.NumberFormat\(.*?\);/, '$1{ format: String };')
        .replace(/(const localTz = )new Intl\..*?;/, "$1'UTC';"),
    }))
    // Browsers need 'wasm-unsafe-eval' in the content security policy for WebAssembly; there the matrix products run in
    // plain loops, with the same results bit for bit.
    onLoad({ filter: /\/numerics\/matrices\/matrix-workspace\.ts$/ }, () => ({
      contents: textOf('kernels/plain-workspace.js'),
      resolveDir: `${WEB}kernels`,
    }))
  },
}
