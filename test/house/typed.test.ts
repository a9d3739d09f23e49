/** src/ is in one language, of which the strict type checker reads every line. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sources } from './source.ts'

const root = join(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/typescript/bin/tsc')
interface Configuration {
  readonly compilerOptions: { readonly strict?: boolean }
  /** The files that `include` names, without those that are only imported. */
  readonly files: readonly string[]
}
const configurationOf = (project: string): Configuration =>
  JSON.parse(
    execFileSync(process.execPath, [tsc, '-p', project, '--showConfig'], { cwd: root, encoding: 'utf8' }),
  )
/** The projects that `tsc --build` checks. */
const projects = [
  ...readFileSync(join(root, 'tsconfig.json'), 'utf8').matchAll(/"path": "\.\/(tsconfig\.\w+\.json)"/g),
].map(([, name]) => name!)

test('no file of src/ is JavaScript', () => {
  assert.deepEqual(globSync('src/**/*.{js,jsx,mjs,cjs}', { cwd: root }), [])
})

test('no file of src/ turns the type checker off', () => {
  const files = sources('src/**/*.{ts,tsx}')
  assert.ok(files.length > 0)
  const offs = files.filter(({ text }) => /@ts-(nocheck|ignore)\b/.test(text))
  assert.deepEqual(
    offs.map(({ path }) => path),
    [],
  )
})

test('every file of src/ is in a project, and each project is strict', () => {
  const configurations = projects.map(configurationOf)
  const covered = new Set(configurations.flatMap(({ files }) => files.map((path) => join(root, path))))
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  assert.deepEqual(
    files.filter((path) => !covered.has(join(root, path))),
    [],
  )
  for (const [index, { compilerOptions }] of configurations.entries())
    assert.equal(compilerOptions.strict, true, projects[index])
})
