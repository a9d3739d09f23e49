/** `/llms.txt`, and guide, reference and the project's documents as plain Markdown; each text is made when it is requested. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import type { Sources } from '../derive/described.ts'
import { llmsTxt, type MarkdownPage, markdownPages, markdownPaths } from '../derive/markdown.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)

/** Path → text. */
export function documents(sources: Sources): Map<string, () => string> {
  let pages: Map<string, MarkdownPage> | undefined
  const derived = () => {
    pages ??= new Map(markdownPages(sources).map((page) => [page.path, page]))
    return pages
  }
  const own = projectDocuments()
  return new Map([
    ['/llms.txt', () => llmsTxt(sources, [...derived().values()], own.map(titled))],
    ...markdownPaths(sources).map((path): [string, () => string] => [path, () => derived().get(path)!.text]),
    ...own.map((name): [string, () => string] => [`/docs/${name}`, () => servedText(name, own)]),
  ])
}

/** Names of the documents below docs/, which an installed package may lack. */
const projectDocuments = (): string[] =>
  existsSync(DOCUMENTS) ? globSync('**/*.md', { cwd: DOCUMENTS.pathname }).sort() : []

const textOf = (name: string): string => readFileSync(new URL(name, DOCUMENTS), 'utf8')

/** Links whose target is not in `served` become their text; those to addresses and within the page stay. */
const servedText = (name: string, served: readonly string[]): string =>
  textOf(name).replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) =>
    /^(\w+:|#|\/)/.test(target) || served.includes(resolved(name, target)) ? link : words,
  )

const resolved = (name: string, target: string): string =>
  posix.join(posix.dirname(name), target.split('#')[0]!)

/** A document begins with its title and a paragraph. */
function titled(name: string): Omit<MarkdownPage, 'text'> {
  const [, title = name, paragraph = ''] = /^# (.*)\n+([\s\S]*?)(?=\n\n|$)/.exec(servedText(name, [])) ?? []
  const summary = /^.*?\.(?= |$)/.exec(paragraph.replace(/\s+/g, ' '))?.[0] ?? `${title}.`
  return { path: `/docs/${name}`, title, summary }
}
