/** src/ is in one language, of which the strict type checker reads every line. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { test } from 'node:test'
import { sources } from './source.ts'

const root = join(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/typescript/bin/tsc')
const ask = (...args: string[]): string =>
  execFileSync(process.execPath, [tsc, ...args], { cwd: root, encoding: 'utf8' })
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
  const listed = projects.flatMap((project) => ask('-p', project, '--listFilesOnly').split('\n'))
  const covered = new Set(listed.map((path) => relative(root, path).replaceAll(sep, '/')))
  const files = globSync('src/**/*.{ts,tsx}', { cwd: root })
  assert.deepEqual(
    files.filter((path) => !covered.has(path.replaceAll(sep, '/'))),
    [],
  )
  for (const project of projects)
    assert.equal(JSON.parse(ask('-p', project, '--showConfig')).compilerOptions.strict, true, project)
})
