/** A document names files and folders of the project by the paths that they have. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { sources } from './source.ts'

const root = join(import.meta.dirname, '../..')
const documents = sources('*.md', '{bench,clients,deploy,docs,examples,src,test}/**/*.md')
/** Its paths are those of files that the reader adds. */
const isRecipe = (path: string): boolean => path.endsWith('/adding-an-operation.md')
/** The README of the npm package is at the root of the package. */
const folderOf = (path: string): string => (path === 'deploy/package/README.md' ? '' : dirname(path))

const LINK = /\]\((?!\w+:|\/|#)([^)#\s]+)(?:#[^)]*)?\)/g
const PATH = /`((?:bench|bin|clients|deploy|docs|examples|scripts|src|test)\/[\w./-]*)`/g

const missing = (paths: readonly string[]): string[] => paths.filter((path) => !existsSync(join(root, path)))

test('each link to a file leads to one', () => {
  const broken = documents.flatMap(({ path, text }) => {
    const targets = [...text.matchAll(LINK)].map(([, target]) => join(folderOf(path), target!))
    return missing(targets).map((target) => `${path}: ${target}`)
  })
  assert.deepEqual(broken, [])
})

test('each path in a text is that of a file or folder', () => {
  const broken = documents
    .filter(({ path }) => path !== 'CHANGELOG.md' && !isRecipe(path))
    .flatMap(({ path, text }) =>
      missing([...text.matchAll(PATH)].map(([, target]) => target!)).map((target) => `${path}: ${target}`),
    )
  assert.deepEqual(broken, [])
})
