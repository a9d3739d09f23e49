/** The package of the numerics: its README shows each function, and prints what it says. `npm run test:numerics` tests the tarball. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import * as numerics from '../../src/numerics/index.ts'
import { readmeExample } from '../support/readme-example.ts'

const folder = join(import.meta.dirname, '../../src/numerics')
const example = readmeExample(readFileSync(join(folder, 'README.md'), 'utf8'))

test('the README has an example for each function of the package', () => {
  const calls = example.code.replace(/^import [\s\S]*? from .*$/gm, '')
  const absent = Object.keys(numerics).filter((name) => !new RegExp(`\\b${name}\\b`).test(calls))
  assert.deepEqual(absent, [])
})

test('the examples print what the README says', async (context) => {
  const lines: string[] = []
  context.mock.method(console, 'log', (...words: unknown[]) => lines.push(`${words.join(' ')}\n`))
  const code = example.code.replaceAll("'quantd-numerics'", `'file://${join(folder, 'index.ts')}'`)
  await import(`data:text/javascript,${encodeURIComponent(code)}`)
  context.mock.restoreAll()
  assert.equal(lines.join(''), example.printed)
})
