/** `/llms.txt`, and guide, reference and the project's documents as plain Markdown; each text is made when it is requested. */
import { existsSync, globSync, readFileSync } from 'node:fs'
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
    ...own.map((name): [string, () => string] => [`/docs/${name}`, () => withServedLinks(textOf(name), own)]),
  ])
}

/** Names of the documents in docs/, which an installed package may lack. */
const projectDocuments = (): string[] =>
  existsSync(DOCUMENTS) ? globSync('*.md', { cwd: DOCUMENTS.pathname }).sort() : []

const textOf = (name: string): string => readFileSync(new URL(name, DOCUMENTS), 'utf8')

/** Links whose target is not in `served` become their text; those to addresses and within the page stay. */
const withServedLinks = (text: string, served: readonly string[]): string =>
  text.replace(/!?\[([^\]]*)\]\(([^)\s]+)\)/g, (link, words: string, target: string) =>
    /^(\w+:|#|\/)/.test(target) || served.includes(target.split('#')[0]!) ? link : words,
  )

/** A document begins with its title and a paragraph. */
function titled(name: string): Omit<MarkdownPage, 'text'> {
  const [, title = name, paragraph = ''] = /^# (.*)\n+([\s\S]*?)(?=\n\n|$)/.exec(textOf(name)) ?? []
  const sentences = withServedLinks(paragraph.replace(/\s+/g, ' '), [])
  const summary = /^.*?\.(?= |$)/.exec(sentences)?.[0] ?? `${title}.`
  return { path: `/docs/${name}`, title, summary }
}
