/** The runner of the tests names each failure, and each file that did not run to its end. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { checked, type Outcome, report } from '../../scripts/outcome.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const folder = temporaryFolder('runner')

/** Within a test, Node runs no test files: a process of its own does. */
const RUN = `
  const [runner, ...files] = process.argv.slice(1)
  const { runTests } = await import(runner)
  const outcome = await runTests('group', [files], (task) => task(), {
    signal: new AbortController().signal,
    env: process.env,
  })
  console.log(JSON.stringify(outcome))`

/** The outcome of files, given by name and text, that run in one process. */
function outcomeOf(files: Readonly<Record<string, string>>): Outcome {
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name)
    writeFileSync(path, `import { after, before, beforeEach, describe, test } from 'node:test'\n${text}`)
    return path
  })
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const runner = join(import.meta.dirname, '../../scripts/run-tests.ts')
  const argv = ['--input-type=module', '--eval', RUN, runner, ...paths]
  return JSON.parse(execFileSync(process.execPath, argv, { cwd: folder, env, encoding: 'utf8' }))
}

test('files of one process have hooks of their own, and each failure names its test and file', () => {
  const { failed, failures, figures, passed, skipped, skips } = outcomeOf({
    'first.test.mjs': `
      let hooks = 0
      beforeEach(() => { hooks += 1 })
      after(() => { if (hooks !== 2) throw new Error('the hook ran ' + hooks + ' times') })
      test('passes', () => console.log('measured: 1 ms'))
      test('fails', () => { console.log('a hint'); throw new Error('wrong') })`,
    'second.test.mjs': `
      let isReady = false
      before(async () => { await new Promise((resolve) => setTimeout(resolve, 5)); isReady = true })
      describe('a suite', () => {
        test('passes too', () => { if (!isReady) throw new Error('not ready') })
        test('is skipped', { skip: 'elsewhere' }, () => {})
      })
      test('waits for a timer that does not keep the process running', () =>
        new Promise((resolve) => setTimeout(resolve, 5).unref()))`,
    'skipped.test.mjs': "describe('everything', { skip: 'elsewhere' }, () => { test('one', () => {}) })",
    'empty.test.mjs': '',
    'broken.test.mjs': "throw new Error('cannot be loaded')",
  })
  assert.deepEqual({ passed, failed, skipped }, { passed: 3, failed: 3, skipped: 1 }, failures.join('\n'))
  assert.deepEqual(skips, ['is skipped (elsewhere)', 'everything (elsewhere)'])
  assert.deepEqual(figures, ['measured: 1 ms'])
  const found = failures.map((text) => text.split('\n').slice(0, 2).join(' '))
  assert.deepEqual(found, [
    'fails (first.test.mjs:7) Error: wrong',
    'empty.test.mjs contains no test',
    'broken.test.mjs Error: cannot be loaded',
    'first.test.mjs printed measured: 1 ms',
  ])
  assert.match(failures.at(-1)!, /a hint/)
})

test('a file that ends its process is named, and so are the files that could not run', () => {
  const { failed, failures, passed } = outcomeOf({
    'before.test.mjs': "test('passes', () => {})",
    'exit.test.mjs': "test('exits', () => { console.log('on the way'); process.exit(7) })",
    'later.test.mjs': "test('passes', () => {})",
  })
  assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 })
  assert.match(failures[0], /^exit\.test\.mjs\n[\s\S]*exit code 7/)
  assert.deepEqual(failures.slice(1), [
    'did not run to the end: exit.test.mjs, later.test.mjs',
    'exit.test.mjs printed\non the way\n',
  ])
})

test('a failed test that leaves something open does not keep its process running', () => {
  const { failed, failures, passed } = outcomeOf({
    'open.test.mjs': `
      describe('a suite', () => {
        test('fails', () => { setInterval(() => {}, 1_000); throw new Error('wrong') })
      })`,
    'later.test.mjs': "test('passes', () => {})",
  })
  assert.deepEqual({ passed, failed }, { passed: 1, failed: 1 }, failures.join('\n'))
  assert.match(failures[0], /^fails \(open\.test\.mjs:\d+\)/)
})

test('an error after the end of its test is shown with the name of the test', () => {
  const { failed, failures } = outcomeOf({
    'stray.test.mjs': `
      test('ends early', () => { setTimeout(() => { throw new Error('stray') }, 1) })
      test('waits', () => new Promise((resolve) => setTimeout(resolve, 50)))`,
  })
  assert.equal(failed, 1)
  assert.match(failures[0], /^stray\.test\.mjs\n[\s\S]*"ends early" at .*stray/)
})

test('a check that takes long has no files to name', (context) => {
  const { mock } = context.mock.method(console, 'log', () => undefined)
  report(checked('types', undefined, 60))
  assert.equal(mock.callCount(), 1)
})
