/** No test is left out: `npm run test:all` runs what `npm test` leaves. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { begins, NAMED_ONLY, OTHER_SCRIPTS, SHORT } from '../../scripts/test-files.ts'

const root = join(import.meta.dirname, '../..')
const files = globSync('test/**/*.test.ts', { cwd: root })
const scripts = readFileSync(join(root, 'scripts/run.js'), 'utf8')

/** The paths of tests that an npm script runs; other scripts than these have tests of their own. */
function pathsOf([name, ...args]: readonly string[]): readonly string[] {
  if (name === 'test') return args
  const [, names = ''] = new RegExp(`'${name}': tests\\((.*)\\)`).exec(scripts) ?? []
  return [...names.matchAll(/'([^']+)'/g)].map(([, file]) => `test/long/deploy/${file}`)
}

test('each file that npm test does not run is run by a script of test:all', () => {
  const paths = OTHER_SCRIPTS.flatMap(({ args }) => pathsOf(args))
  assert.ok(paths.includes('rest'))
  const left = files.filter((file) => begins(file, NAMED_ONLY))
  assert.ok(left.length > 0)
  assert.deepEqual(
    left.filter((file) => !begins(file, paths)),
    [],
  )
})

test('each path that decides what npm test runs is that of a file', () => {
  const parts = Object.values(SHORT).flatMap(({ only = [], without = [] }) => [...only, ...without])
  assert.deepEqual(
    [...parts, ...NAMED_ONLY].filter((path) => !files.some((file) => begins(file, [path]))),
    [],
  )
})
