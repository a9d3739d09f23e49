/** npm itself accepts each lock file, on every system on which somebody develops or runs the service; lock-files.test.ts is quicker. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { describe, test } from 'node:test'
import { temporaryFolder } from '../support/temporary-folder.ts'

const root = resolve(import.meta.dirname, '../..')
const SYSTEMS = [
  ['--os=linux', '--cpu=x64', '--libc=glibc'],
  ['--os=linux', '--cpu=arm64', '--libc=glibc'],
  ['--os=darwin', '--cpu=arm64'],
  ['--os=win32', '--cpu=x64'],
]
const PACKAGES = ['--include=dev', '--omit=dev']
const ALL = [
  'package-lock.json',
  'scripts/node/package-lock.json',
  ...globSync('test/long/**/package-lock.json', { cwd: root }),
]
const FILES = ['package.json', 'package-lock.json', '.npmrc']

const folder = temporaryFolder('lock-files')

/** What npm would say of an installation from a folder's files; it asks no registry and writes nothing. */
function tryInstall(options: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(
    'npm',
    ['ci', '--dry-run', '--offline', '--ignore-scripts', '--loglevel=error', ...options],
    { cwd: folder, encoding: 'utf8', shell: process.platform === 'win32' },
  )
  if (error) throw error
  return status === 0 ? '' : stdout + stderr
}

function copyFrom(project: string): void {
  for (const file of FILES) copyFileSync(join(project, file), join(folder, file))
}

describe('a lock file', () => {
  for (const system of SYSTEMS)
    for (const packages of PACKAGES)
      test(`of the checkout installs with ${[...system, packages].join(' ')}`, () => {
        copyFrom(root)
        assert.equal(tryInstall([...system, packages]), '')
      })

  for (const file of ALL.slice(1))
    test(`${file} installs`, () => {
      copyFrom(join(root, dirname(file)))
      assert.equal(tryInstall(SYSTEMS[0]), '')
    })

  test('that lacks a package of another system is refused', () => {
    copyFrom(root)
    const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'))
    delete lock.packages['node_modules/@biomejs/cli-win32-x64']
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    assert.match(tryInstall(SYSTEMS[0]), /@biomejs/)
  })
})
