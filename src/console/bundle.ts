/** The console's page, and the scripts and styles of all pages, each as one file: a slow line pays for every further request. */
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'esbuild'

const WEB = fileURLToPath(new URL('./web/', import.meta.url))
const SCRIPTS = {
  app: 'app.js',
  reference: 'reference.js',
  worker: 'data/worker.js',
  workbook: 'data/rows-of-workbook.js',
}

/** Of each part of a workbook. */
const MOST_UNPACKED_BYTES = 100e6

/** Name below `/` → text of each file. The scripts are built together when the first is asked for. */
export function bundle(): ReadonlyMap<string, () => string | Promise<string>> {
  let built: Promise<ReadonlyMap<string, string>> | undefined
  const script = (name: string) => async () => {
    built ??= buildScripts()
    return (await built).get(name)!
  }
  return new Map<string, () => string | Promise<string>>([
    ['index.html', () => textOf('index.html')],
    ['assets/mark.svg', () => textOf('mark.svg')],
    [
      'assets/app.css',
      () => sheets('{base,console}.css', '!(base|console|reference).css', '*/*.css') + chartSheet(),
    ],
    ['assets/reference.css', () => sheets('{base,reference}.css')],
    ...Object.keys(SCRIPTS).map((name) => [`assets/${name}.js`, script(`${name}.js`)] as const),
  ])
}

const textOf = (name: string): string => readFileSync(WEB + name, 'utf8')

const sheets = (...patterns: readonly string[]): string =>
  patterns
    .flatMap((pattern) => globSync(pattern, { cwd: WEB }).sort())
    .map(textOf)
    .join('\n')

const chartSheet = (): string =>
  readFileSync(createRequire(import.meta.url).resolve('uplot/dist/uPlot.min.css'), 'utf8')

async function buildScripts(): Promise<ReadonlyMap<string, string>> {
  const { build, stop } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: Object.fromEntries(Object.entries(SCRIPTS).map(([name, file]) => [name, WEB + file])),
    outdir: '/',
    write: false,
    bundle: true,
    format: 'esm',
    minify: true,
    logLevel: 'silent',
    plugins: [forBrowsers],
  })
  await stop()
  return new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
}

const forBrowsers: Plugin = {
  name: 'quantd',
  setup({ onLoad, onResolve }) {
    // The service makes these modules from its declarations and settings.
    onResolve({ filter: /\/(forms|sign-up)\.js$/ }, ({ path }) => ({
      path: `/assets/${basename(path)}`,
      external: true,
    }))
    // A file of its own, which the worker loads for the first workbook.
    onResolve({ filter: /\/rows-of-workbook\.js$/ }, ({ kind }) =>
      kind.startsWith('dynamic') ? { path: '/assets/workbook.js', external: true } : undefined,
    )
    // Some kilobytes of a workbook can claim to hold gigabytes.
    onLoad({ filter: /\/hucre\/dist\/limits\.mjs$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(
        /(MAX_DECOMPRESSED_BYTES) = [^;]+/,
        `$1 = ${MOST_UNPACKED_BYTES}`,
      ),
    }))
    // Browsers need 'wasm-unsafe-eval' in the content security policy for WebAssembly; there the matrix products run in
    // plain loops, with the same results bit for bit.
    onLoad({ filter: /\/numerics\/matrices\/matrix-workspace\.ts$/ }, () => ({
      contents: textOf('kernels/plain-workspace.js'),
      resolveDir: `${WEB}kernels`,
    }))
  },
}
