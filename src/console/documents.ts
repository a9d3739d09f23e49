/** `/llms.txt`, and guide, reference and the project's documents, each as Markdown and as an HTML page. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { extname, posix } from 'node:path'
import { describe, type Sources } from '../derive/described.ts'
import { llmsTxt, type MarkdownPage, markdownPages, markdownPaths } from '../derive/markdown.ts'
import { markdownHtml, pageOf } from '../derive/markdown-html.ts'
import { type DocumentLink, layout } from '../derive/page-layout.ts'
import { endpointPage, reference } from '../derive/reference.ts'
import { type SearchEntry, searchIndex } from '../derive/search-index.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)

export interface Served {
  readonly path: string
  /** Of a file of this type. */
  readonly extension: string
  /** Made when it is requested. */
  readonly content: () => string | Buffer
}

/** The reference, its parts, and the documents with their pictures. */
export function documents(sources: Sources): Served[] {
  const names = filesOfDocuments('md')
  const isServed = servedFrom(sources, names)
  let [derived, own]: [Map<string, MarkdownPage>?, (MarkdownPage & DocumentLink)[]?] = []
  const pages = () => (derived ??= new Map(markdownPages(sources).map((page) => [page.path, page])))
  const files = () => (own ??= names.map((name) => documentOf(name, isServed)))
  const links = (): DocumentLink[] => files().map((one) => ({ ...one, path: pageOf(one.path) }))
  const rendered = ({ path, summary, text, title }: MarkdownPage): string =>
    layout(sources, links(), {
      path: pageOf(path),
      title: `${title} · quantd`,
      description: summary,
      markdown: path,
      main: { markup: `<div class="document">\n${markdownHtml(text).markup}</div>` },
    })
  const endpoints = new Map(describe(sources).map((one) => [`/docs/reference/${one.id}.md`, one]))
  const derivedPage = (path: string): string => {
    const endpoint = endpoints.get(path)
    return endpoint === undefined ? rendered(pages().get(path)!) : endpointPage(sources, links(), endpoint)
  }
  const derivedPaths = markdownPaths(sources)
  return [
    html('/docs', () => reference(sources, links())),
    ...derivedPaths
      .filter((path) => path !== '/docs.md')
      .map((path) => html(pageOf(path), () => derivedPage(path))),
    ...derivedPaths.map((path) => file(path, () => pages().get(path)!.text)),
    ...names.flatMap((name, index) => [
      html(pageOf(`/docs/${name}`), () => rendered(files()[index])),
      file(`/docs/${name}`, () => files()[index].text),
    ]),
    ...filesOfDocuments('{png,svg}').map((name) =>
      file(`/docs/${name}`, () => readFileSync(new URL(name, DOCUMENTS))),
    ),
    file('/llms.txt', () => llmsTxt(sources, [...pages().values()], files())),
    file('/assets/search.json', () => JSON.stringify(searched(sources, files()))),
  ]
}

const html = (path: string, content: Served['content']): Served => ({ path, extension: '.html', content })

const file = (path: string, content: Served['content']): Served => ({
  path,
  extension: extname(path),
  content,
})

const searched = (sources: Sources, files: readonly MarkdownPage[]): SearchEntry[] =>
  searchIndex(
    sources,
    files.map((one) => ({ ...one, path: pageOf(one.path) })),
  )

/** Names of the files below docs/, which an installed package may lack; the index is the first. */
const filesOfDocuments = (extension: string): string[] =>
  existsSync(DOCUMENTS)
    ? globSync(`**/*.${extension}`, { cwd: DOCUMENTS.pathname }).sort(
        (a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1),
      )
    : []

/** Folder of docs/ → heading in the contents, in their order. */
const GROUPS: Readonly<Record<string, string>> = {
  tutorials: 'Tutorials',
  'how-to': 'How-to guides',
  explanation: 'Explanation',
  '.': 'Reference',
}

const placeOf = (name: string): number => Object.keys(GROUPS).indexOf(posix.dirname(name))

/** Whether the target of a link in a document is served. */
function servedFrom(sources: Sources, names: readonly string[]): (name: string, target: string) => boolean {
  const served = new Set([...names.map((name) => `/docs/${name}`), ...markdownPaths(sources)])
  for (const name of filesOfDocuments('{png,svg}')) served.add(`/docs/${name}`)
  return (name, target) => served.has(posix.join('/docs', posix.dirname(name), target.split('#')[0]))
}

/** A document begins with its title and a paragraph. Links to files that are not served become their text. */
function documentOf(
  name: string,
  isServed: (name: string, target: string) => boolean,
): MarkdownPage & DocumentLink {
  const text = readFileSync(new URL(name, DOCUMENTS), 'utf8').replace(
    /!?\[([^\]]*)\]\(([^)\s]+)\)/g,
    (link, words: string, target: string) =>
      /^(\w+:|#|\/)/.test(target) || isServed(name, target) ? link : words,
  )
  const [, title = name, paragraph = ''] = /^# (.*)\n+([\s\S]*?)(?=\n\n|$)/.exec(text) ?? []
  const words = paragraph.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ')
  return {
    path: `/docs/${name}`,
    title,
    summary: /^.*?\.(?= |$)/.exec(words)?.[0] ?? `${title}.`,
    text,
    group: GROUPS[posix.dirname(name)] ?? 'Reference',
  }
}
