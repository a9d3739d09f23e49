/** The packages of a checkout are installed when they are missing (scripts/install.js), from a registry of one package. */
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { after, before, beforeEach, describe, it } from 'node:test'

const INSTALL = resolve(import.meta.dirname, '../../scripts/install.js')
const folder = mkdtempSync(join(tmpdir(), 'quantd-install-'))
const root = join(folder, 'checkout')
const inRoot = (path: string) => join(root, path)
const write = (path: string, content: string | object) => {
  mkdirSync(dirname(inRoot(path)), { recursive: true })
  writeFileSync(inRoot(path), typeof content === 'string' ? content : JSON.stringify(content))
}

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
  mkdirSync(join(folder, 'package'))
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
})
after(() => {
  registry.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Installed {
  readonly status: number | null
  readonly ranNpm: boolean
}

/** A start in a checkout, which installs what it wants. */
async function install(wanted: 'production' | 'all'): Promise<Installed> {
  const code = `import { install } from ${JSON.stringify(INSTALL)}; install(${JSON.stringify(root)}, '${wanted}')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    env: {
      ...process.env,
      npm_config_registry: address(),
      npm_config_cache: join(folder, 'cache'),
      npm_config_fetch_retries: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk) => (output += chunk))
  const [status] = await once(child, 'close')
  return { status, ranNpm: output.includes('Installing') }
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
