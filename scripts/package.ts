/**
 * Builds the npm package `quantd` in build/quantd and packs it: `npm run package`. With --tracing it depends on
 * OpenTelemetry's SDK, as the image does.
 *
 * The package differs from the checkout, because Node refuses TypeScript below node_modules, and because the checkout's
 * package.json is for development (private). The package has the same folders, with JavaScript that tsc
 * compiles file by file. It has a command but no importable module: its interface is HTTP and the command line. Its shrinkwrap
 * fixes the tested versions; npm follows it when it installs from a registry, not from a tarball.
 */
import {
  chmodSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { bundle } from '../src/web/bundle.ts'
import { wheelOfCheckout } from '../src/web/client-packages.ts'
import { wheelName } from '../src/web/python-wheel.ts'
import { registryName } from './mcp-registry.ts'
import { compile, json, pack, run } from './packing.ts'
import { installable, publishing } from './publishing.ts'

interface Locked {
  readonly dev?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
}
type Lock = Readonly<Record<string, Locked>>

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'build/quantd')

/** Folders that the code reads at run time. */
const DATA = ['app/cli/selftest/vectors']
const FILES: Readonly<Record<string, string>> = {
  'bin/packed.js': 'bin/quantd.js',
  'scripts/run-node.js': 'scripts/run-node.js',
  'scripts/program-name.js': 'scripts/program-name.js',
  'deploy/package/README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  '.env.example': '.env.example',
  'deploy/README.md': 'deploy/README.md',
  'deploy/compose.yaml': 'deploy/compose.yaml',
  'deploy/move-database.sh': 'deploy/move-database.sh',
  'deploy/systemd': 'deploy/systemd',
  'deploy/proxies': 'deploy/proxies',
  'deploy/prometheus/alerts.yml': 'deploy/prometheus/alerts.yml',
  'deploy/grafana': 'deploy/grafana',
  docs: 'docs',
}

/** The bundler of the pages, which the package does not need: it contains the bundles. */
const BUNDLER = /^node_modules\/(@esbuild\/|esbuild$)/

/** The packages that tracing needs; unless `--tracing` is given, an operator installs them beside quantd. */
const TRACING = ['@opentelemetry/api', '@opentelemetry/sdk-node']

const { values } = parseArgs({ options: { tracing: { type: 'boolean', default: false } } })

rmSync(target, { recursive: true, force: true })
compile('tsconfig.build.json')
for (const site of ['console', 'operators'] as const)
  for (const [name, text] of bundle(site)) write(`dist/web/built/${site}/${name}`, await text())
writeClients()
for (const folder of DATA) copy(`src/${folder}`, `dist/${folder}`)
for (const [from, to] of Object.entries(FILES)) copy(from, to)
for (const file of globSync('**/*.md', { cwd: target })) unlinkAbsent(file)
for (const file of globSync('**/*.{md,service}', { cwd: target })) nameInstallable(file)
chmodSync(join(target, 'bin/quantd.js'), 0o755)
const manifest = packageManifest(values.tracing)
writeJson('package.json', manifest)
writeJson('npm-shrinkwrap.json', shrinkwrap(manifest))
pack(target)

/** The packages of the clients, which the service offers. */
function writeClients(): void {
  const { version } = json('package.json')
  run(process.execPath, [join(root, 'scripts/package-library.ts'), 'clients/typescript'])
  const tarball = `quantd-client-${version}.tgz`
  const folder = join(target, 'dist/web/built/clients')
  mkdirSync(folder, { recursive: true })
  cpSync(join(root, 'build', tarball), join(folder, tarball))
  writeFileSync(join(folder, wheelName(version)), wheelOfCheckout(version))
}

function packageManifest(tracing: boolean) {
  const { name, version, description, license, repository, type, bin, ...others } = json('package.json')
  const { dependencies: ofCheckout } = others
  const { esbuild: _, ...dependencies } = ofCheckout
  const sdk = Object.fromEntries(TRACING.map((one) => [one, others.devDependencies[one]]))
  return {
    name,
    version,
    description,
    license,
    ...publishing(repository),
    ...(registryName(repository) !== null && { mcpName: registryName(repository) }),
    type,
    engines: { node: '>=24' },
    bin,
    exports: { './package.json': './package.json' },
    files: [
      'bin',
      'deploy',
      'dist',
      'docs',
      'scripts',
      'CHANGELOG.md',
      '.env.example',
      'npm-shrinkwrap.json',
    ],
    dependencies: tracing ? { ...dependencies, ...sdk } : dependencies,
    ...(!tracing && {
      peerDependencies: others.peerDependencies,
      peerDependenciesMeta: others.peerDependenciesMeta,
    }),
  }
}

/** The lock file of the checkout without the development packages that quantd does not need. */
function shrinkwrap({ exports: _, files: __, ...manifest }: ReturnType<typeof packageManifest>) {
  const { lockfileVersion, packages } = json('package-lock.json') as {
    lockfileVersion: number
    packages: Lock
  }
  const needed = new Set<string>()
  for (const dependency of Object.keys(manifest.dependencies)) addNeeded(needed, packages, '', dependency)
  const included = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && (!dev || needed.has(path)))
    .filter(([path]) => !BUNDLER.test(path))
    .map(([path, { dev: _dev, ...entry }]) => [path, entry])
  const { name, version } = manifest
  return {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries(included) },
  }
}

/**
 * Adds the path of a package in the lock file, and those of its dependencies, to a set. As Node does, it looks for the package in
 * the nearest node_modules above `folder`, which needs it.
 */
function addNeeded(needed: Set<string>, packages: Lock, folder: string, name: string): void {
  const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
  const found = packages[path]
  if (found === undefined) {
    const above = folder.lastIndexOf('/node_modules/')
    if (folder !== '') addNeeded(needed, packages, folder.slice(0, Math.max(0, above)), name)
  } else if (!needed.has(path)) {
    needed.add(path)
    for (const dependency of Object.keys(found.dependencies ?? {}))
      addNeeded(needed, packages, path, dependency)
  }
}

/** Replaces each link in a document whose target is neither in the package nor a page of the service by the link's text. */
function unlinkAbsent(file: string): void {
  const path = join(target, file)
  const text = readFileSync(path, 'utf8').replace(
    /\[([^\]]*)\]\((?!https?:|#)([^)#]+)(#[^)]*)?\)/g,
    (link, shown, to) =>
      existsSync(join(dirname(path), to)) ||
      join(dirname(path), to).startsWith(join(target, 'docs/reference/'))
        ? link
        : shown,
  )
  writeFileSync(path, text)
}

/** Applies `installable` to a document. */
function nameInstallable(file: string): void {
  const path = join(target, file)
  const { repository, version } = json('package.json')
  writeFileSync(path, installable(readFileSync(path, 'utf8'), version, repository !== undefined))
}

function writeJson(path: string, content: object): void {
  write(path, `${JSON.stringify(content, null, 2)}\n`)
}

function write(path: string, text: string): void {
  mkdirSync(dirname(join(target, path)), { recursive: true })
  writeFileSync(join(target, path), text)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(target, to)), { recursive: true })
  cpSync(join(root, from), join(target, to), { recursive: true })
}
