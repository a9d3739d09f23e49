/**
 * Builds the npm package `quantd` in build/quantd and packs it: `npm run package`.
 *
 * The package is not the checkout: Node refuses TypeScript below node_modules, and the checkout's package.json is about
 * development (private, a pinned Node, Node ≥ 20). The package has JavaScript that tsc makes file by file, the same
 * folders, a command, and no importable module, because its interface is HTTP and the command line. Its
 * shrinkwrap has the versions that were tested; npm follows it for a package of a registry, not for a tarball.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { publishing } from './publishing.ts'

interface Locked {
  readonly dev?: boolean
}

const root = resolve(import.meta.dirname, '..')
const target = join(root, 'build/quantd')

/** Read at run time from their places beside the code; the console serves the numerics to browsers, without their types. */
const DATA = ['console/web', 'cli/selftest/vectors', 'numerics']
const FILES: Readonly<Record<string, string>> = {
  'bin/packed.js': 'bin/quantd.js',
  'scripts/run-node.js': 'scripts/run-node.js',
  'scripts/program-name.js': 'scripts/program-name.js',
  'README.md': 'README.md',
  'CHANGELOG.md': 'CHANGELOG.md',
  LICENSE: 'LICENSE',
  '.env.example': '.env.example',
  'deploy/systemd': 'deploy/systemd',
  'deploy/proxies': 'deploy/proxies',
}

/** The Node of a checkout; the package runs on that of its user. */
const PINNED_NODE = 'node-linux-'

const fields = publishing()

rmSync(target, { recursive: true, force: true })
run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', 'tsconfig.build.json'])
for (const folder of DATA) copy(`src/${folder}`, `dist/${folder}`)
for (const [from, to] of Object.entries(FILES)) copy(from, to)
// Served at /docs/….
for (const file of globSync('docs/*.md', { cwd: root })) copy(file, file)
chmodSync(join(target, 'bin/quantd.js'), 0o755)
const manifest = packageManifest()
write('package.json', manifest)
write('npm-shrinkwrap.json', shrinkwrap(manifest))
const [packed] = JSON.parse(
  run('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', join(root, 'build'), target]),
)
console.log(`build/${packed.filename} (${packed.entryCount} files, ${packed.size} bytes)`)

function packageManifest() {
  const { name, version, description, license, type, bin, dependencies, optionalDependencies } =
    json('package.json')
  return {
    name,
    version,
    description,
    license,
    ...fields,
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
    dependencies,
    optionalDependencies: Object.fromEntries(
      Object.entries(optionalDependencies).filter(([dependency]) => !dependency.startsWith(PINNED_NODE)),
    ),
  }
}

/** The lock file of the checkout without development packages and the pinned Node. */
function shrinkwrap({ exports: _, files: __, ...manifest }: ReturnType<typeof packageManifest>) {
  const { lockfileVersion, packages } = json('package-lock.json')
  const kept = Object.entries(packages as Record<string, Locked>).filter(
    ([path, { dev }]) => path !== '' && !dev && !path.startsWith(`node_modules/${PINNED_NODE}`),
  )
  const { name, version } = manifest
  return {
    name,
    version,
    lockfileVersion,
    requires: true,
    packages: { '': manifest, ...Object.fromEntries(kept) },
  }
}

function json(path: string) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

function write(path: string, content: object): void {
  writeFileSync(join(target, path), `${JSON.stringify(content, null, 2)}\n`)
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(join(target, to)), { recursive: true })
  cpSync(join(root, from), join(target, to), { recursive: true })
}

function run(file: string, args: readonly string[]): string {
  return execFileSync(file, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}
