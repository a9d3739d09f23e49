/** A document names files and folders of the project by the paths that they have. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { markdownPages } from '../../src/derive/markdown.ts'
import { anchor } from '../../src/derive/markdown-html.ts'
import { sources as declarations } from '../../src/derive/sources.ts'
import { sources } from './source.ts'

const root = join(import.meta.dirname, '../..')
const documents = sources('*.md', '{bench,clients,deploy,docs,examples,src,test}/**/*.md')
/** Whether a document names paths of files that its reader is to add. */
const isRecipe = (path: string): boolean => path.endsWith('/adding-an-operation.md')
/** The README of the npm package is at the root of the package. */
const folderOf = (path: string): string => (path === 'deploy/package/README.md' ? '' : dirname(path))

const PATH = /`((?:bench|bin|clients|deploy|docs|examples|scripts|src|test)\/[\w./-]*)`/g

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```/gm, '')

const linksOf = (markdown: string) =>
  [...withoutCode(markdown).matchAll(/\]\((?!\w+:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, file, id]) => ({
    file: file!,
    id,
  }))

const anchorsOf = (markdown: string): string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchor(heading!))

const missing = (paths: readonly string[]): string[] => paths.filter((path) => !existsSync(join(root, path)))

test('each link leads to a file and a heading of it, or to a page that the service makes', () => {
  const made = new Set(markdownPages(declarations).map(({ path }) => path.slice(1)))
  const headings = new Map(documents.map(({ path, text }) => [path, anchorsOf(text)]))
  const broken = documents.flatMap(({ path, text }) =>
    linksOf(text).flatMap(({ file, id }) => {
      const target = file === '' ? path : join(folderOf(path), file)
      if (made.has(target)) return []
      const isThere = id === undefined || (headings.get(target)?.includes(id) ?? true)
      return missing([target]).length > 0 || !isThere ? [`${path}: ${file}#${id ?? ''}`] : []
    }),
  )
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
