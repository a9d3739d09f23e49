/** test/ mirrors src/: the tests of a room are in the folder of the same name. */
import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** Folders and files of test/ whose tests cover more than one room; ARCHITECTURE.md names them. */
const GROUPS = [
  'house',
  'contract',
  'ledger-store',
  'crash',
  'browser',
  'client',
  'python',
  'install',
  'hostile',
  'long',
]

/** Whether a path below test/, without `.test.ts`, belongs to a group or mirrors a path of src/. */
const hasPlace = (path: string): boolean =>
  GROUPS.some((group) => path === group || path.startsWith(`${group}/`)) || isPartOfSrc(placeOf(path))

/** The folder; at the top of test/, the file itself stands for one file of src/. */
const placeOf = (path: string): string => (dirname(path) === '.' ? path : dirname(path))

const isPartOfSrc = (path: string): boolean =>
  existsSync(join(root, 'src', path)) || existsSync(join(root, 'src', `${path}.ts`))

test('each test file is in the folder of its room or in a named group', () => {
  const files = globSync('**/*.test.ts', { cwd: join(root, 'test') })
  assert.ok(files.length > 0)
  assert.deepEqual(
    files.filter((file) => !hasPlace(file.replace(/\.test\.ts$/, ''))),
    [],
  )
})

test('each named group has tests', () => {
  for (const group of GROUPS)
    assert.ok(globSync(`test/${group}/**/*.test.ts`, { cwd: root }).length > 0, `${group} has none`)
})

test('a folder that is neither a room nor a group is found', () => {
  assert.equal(hasPlace('app/cli/admin/verbs'), true)
  assert.equal(hasPlace('app/log'), true)
  assert.equal(hasPlace('serve/batch/reading'), false)
  assert.equal(hasPlace('elsewhere/verbs'), false)
  assert.equal(hasPlace('verbs'), false)
})
