/** Each lock file names every package of every system, so that `npm ci` installs it; npm-ci.test.ts asks npm itself. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, test } from 'node:test'

const root = resolve(import.meta.dirname, '../..')
const ALL = [
  'package-lock.json',
  'scripts/node/package-lock.json',
  ...globSync('test/long/**/package-lock.json', { cwd: root }),
]

interface Lock {
  readonly packages: Readonly<Record<string, Locked>>
}
type Versions = Readonly<Record<string, string>>
interface Locked {
  readonly optional?: boolean
  readonly os?: readonly string[]
  readonly cpu?: readonly string[]
  readonly libc?: readonly string[]
  readonly dependencies?: Versions
  readonly devDependencies?: Versions
  readonly optionalDependencies?: Versions
}

const lockOf = (file: string): Lock => JSON.parse(readFileSync(join(root, file), 'utf8'))

/** Packages on which others of the file depend, without an entry where Node would look for them. */
function missingFrom({ packages }: Lock): string[] {
  return Object.entries(packages).flatMap(([path, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.devDependencies, ...locked.optionalDependencies })
      .filter((name) => !isFound(packages, path, name))
      .map((name) => `${name} of ${path}`),
  )
}

function isFound(packages: Lock['packages'], path: string, name: string): boolean {
  const place = path === '' ? '' : `${path}/`
  if (Object.hasOwn(packages, `${place}node_modules/${name}`)) return true
  return path !== '' && isFound(packages, path.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, ''), name)
}

describe('a lock file', () => {
  for (const file of ALL) {
    test(`${file} has an entry for each package that somebody needs, on every system`, () => {
      assert.deepEqual(missingFrom(lockOf(file)), [])
    })

    test(`${file} names no address of a registry`, () => {
      assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /"resolved"/)
    })

    // A trial for another system does not find this: npm checks required packages against the running system.
    test(`${file} requires no package that exists for some systems only`, () => {
      const { packages } = lockOf(file)
      const required = Object.entries(packages).filter(([, { optional }]) => !optional)
      assert.ok(Object.keys(packages).length > 1)
      assert.deepEqual(
        required.filter(([, { os, cpu, libc }]) => os ?? cpu ?? libc).map(([path]) => path),
        [],
      )
    })
  }

  test('that lacks a package of another system is found', () => {
    const { 'node_modules/@biomejs/cli-win32-x64': _, ...packages } = lockOf('package-lock.json').packages
    assert.deepEqual(missingFrom({ packages }), ['@biomejs/cli-win32-x64 of node_modules/@biomejs/biome'])
  })

  test('has the versions that package.json wants', () => {
    const manifest: Locked = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    const own = lockOf('package-lock.json').packages['']
    assert.deepEqual(
      [own.dependencies, own.devDependencies],
      [manifest.dependencies, manifest.devDependencies],
    )
  })
})
