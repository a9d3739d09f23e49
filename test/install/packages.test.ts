/** The packages of a checkout are installed when they are missing (scripts/install.js), from a registry of one package. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, beforeEach, describe, it } from 'node:test'
import { temporaryFolder } from '../support/temporary-folder.ts'

const INSTALL = resolve(import.meta.dirname, '../../scripts/install.js')
const folder = temporaryFolder('install')
const root = join(folder, 'checkout')
const inRoot = (path: string) => join(root, path)
const write = (path: string, content: string | object) => {
  mkdirSync(dirname(inRoot(path)), { recursive: true })
  writeFileSync(inRoot(path), typeof content === 'string' ? content : JSON.stringify(content))
}

const NODE = `node-${process.platform}-${process.arch}`

/** What the registry sends for every package. */
let tarball: Buffer
const registry = createServer(({ url }, response) => {
  if (url!.endsWith('.tgz')) return response.end(tarball)
  const name = url!.slice(1)
  const version = { name, version: '1.0.0', dist: { tarball: `${address()}${name}.tgz` } }
  response.end(JSON.stringify({ name, versions: { '1.0.0': version } }))
})
const address = () => `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`

before(async () => {
  mkdirSync(join(folder, 'package/bin'), { recursive: true })
  writeFileSync(join(folder, 'package/bin/node'), '')
  writeFileSync(join(folder, 'package/package.json'), JSON.stringify({ name: 'any', version: '1.0.0' }))
  tarball = spawnSync('tar', ['-cz', '-C', folder, 'package']).stdout
  registry.listen(0, '127.0.0.1')
  await once(registry, 'listening')
})
beforeEach(() => {
  rmSync(root, { recursive: true, force: true })
  const required = {
    version: '1.0.0',
    integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}`,
  }
  const manifest = { dependencies: { served: '1.0.0' }, devDependencies: { tested: '1.0.0' } }
  write('package.json', manifest)
  write('package-lock.json', {
    lockfileVersion: 3,
    packages: {
      '': manifest,
      'node_modules/served': required,
      'node_modules/tested': { ...required, dev: true },
    },
  })
  const ofNode = { optionalDependencies: { [NODE]: '1.0.0' } }
  write('scripts/node/package.json', ofNode)
  write('scripts/node/package-lock.json', {
    lockfileVersion: 3,
    packages: { '': ofNode, [`node_modules/${NODE}`]: { ...required, optional: true } },
  })
})
after(() => registry.close())

/** Runs code in a process that can import install.js, and returns what it printed. */
async function run(code: string): Promise<{ status: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: {
      ...process.env,
      npm_config_registry: address(),
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err] = [text(child.stdout), text(child.stderr)]
  const [status] = await once(child, 'close')
  return { status, out: await out, err: await err }
}

interface Installed {
  readonly status: number | null
  readonly ranNpm: boolean
}

/** A start in a checkout, which installs what it wants. */
async function install(wanted: 'production' | 'all'): Promise<Installed> {
  const code = `import { install } from ${JSON.stringify(INSTALL)}; install(${JSON.stringify(root)}, '${wanted}')`
  const { err, status } = await run(code)
  return { status, ranNpm: err.includes('Installing') }
}

const INSTALLED: Installed = { status: 0, ranNpm: true }
const PRESENT: Installed = { status: 0, ranNpm: false }

describe('a start in a checkout', () => {
  it('installs the packages that it needs, and later starts do not run npm', async () => {
    assert.deepEqual(await install('production'), INSTALLED)
    assert.deepEqual(readdirSync(inRoot('node_modules')).sort(), ['.package-lock.json', 'served'])
    assert.deepEqual(await install('production'), PRESENT)
    assert.deepEqual(readdirSync(inRoot('build')), [])
  })

  it('installs the development packages again if they were installed', async () => {
    assert.deepEqual(await install('all'), INSTALLED)
    write('node_modules/.package-lock.json', { packages: { 'node_modules/tested': { version: '1.0.0' } } })
    assert.deepEqual(await install('production'), INSTALLED)
    assert.deepEqual(readdirSync(inRoot('node_modules')).sort(), ['.package-lock.json', 'served', 'tested'])
  })

  it('replaces packages whose install was interrupted, and removes what that install has left in build/', async () => {
    write('node_modules/served/package.json', 'half a f')
    const ended = spawnSync(process.execPath, ['--version']).pid
    write(`build/install-${ended}/package.json`, '{}')
    assert.deepEqual(await install('production'), INSTALLED)
    assert.equal(JSON.parse(readFileSync(inRoot('node_modules/served/package.json'), 'utf8')).name, 'any')
    assert.deepEqual(readdirSync(inRoot('build')), [])
  })

  it('leaves the installed packages as they are if the registry sends other bytes than the lock file names', async () => {
    await install('production')
    write('node_modules/.package-lock.json', {})
    rmSync(join(folder, 'cache'), { recursive: true })
    const right = tarball
    tarball = Buffer.concat([right, Buffer.from('more')])
    const { status } = await install('production')
    tarball = right
    assert.equal(status, 1)
    assert.ok(existsSync(inRoot('node_modules/served/package.json')))
  })

  it('keeps every module readable while it installs, for a service that runs from them', async () => {
    await install('production')
    let absences = 0
    const watch = setInterval(() => {
      if (!existsSync(inRoot('node_modules/served/package.json'))) absences += 1
    }, 1)
    await install('all')
    clearInterval(watch)
    assert.deepEqual(readdirSync(inRoot('node_modules')).sort(), ['.package-lock.json', 'served', 'tested'])
    // The folder is exchanged by two renames.
    assert.ok(absences <= 1, `${absences} ms without the module`)
  })
})

/** The Node of a checkout that is started by a Node of this version, and what the start said. */
async function nodeFor(version: string) {
  const code = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })
    const { nodeFor } = await import(${JSON.stringify(INSTALL)})
    console.log(nodeFor(${JSON.stringify(root)}, 'production'))`
  const { err, out, status } = await run(code)
  return { status, node: out.trim(), said: err.split('\n').filter((line) => line.startsWith('This is Node')) }
}

describe('the Node of a checkout', () => {
  const fetched = inRoot(`build/node/node_modules/${NODE}/bin/node`)

  it('is the running one if that is new enough', async () => {
    const { node, said } = await nodeFor('24.0.0')
    assert.deepEqual([node, said], [process.execPath, []])
    assert.equal(existsSync(inRoot('build')), false)
  })

  it('is fetched once where the running one is too old, and one line says so', async () => {
    const first = await nodeFor('20.20.2')
    const line = `This is Node 20.20.2: fetching Node 1.0.0 once, into ${inRoot('build/node')} …`
    assert.deepEqual(first, { status: 0, node: fetched, said: [line] })
    assert.ok(existsSync(fetched))
    assert.deepEqual(await nodeFor('20.20.2'), { status: 0, node: fetched, said: [] })
  })

  it('is not taken from a registry that sends other bytes than the lock file names', async () => {
    rmSync(join(folder, 'cache'), { recursive: true })
    const right = tarball
    tarball = Buffer.concat([right, Buffer.from('more')])
    const { node, status } = await nodeFor('20.20.2')
    tarball = right
    assert.deepEqual([node, status, existsSync(fetched)], ['', 1, false])
  })

  it('is unknown on a system for which none is pinned', async () => {
    write('scripts/node/package-lock.json', { lockfileVersion: 3, packages: {} })
    assert.equal((await nodeFor('20.20.2')).node, 'undefined')
  })
})
