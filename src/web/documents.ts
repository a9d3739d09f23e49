/**
 * `/llms.txt`, the reference and the documents, each as Markdown and as an HTML page, the configurations of deploy/ that these
 * name, and the page for unknown addresses.
 */
import { globSync, readFileSync } from 'node:fs'
import { extname, join, posix, relative } from 'node:path'
import { html } from '../base/html.ts'
import { describe, type Sources } from '../derive/documented-endpoints.ts'
import { llmsTxt, type MarkdownPage, markdownPages } from '../derive/markdown.ts'
import { markdownHtml, pageOf } from '../derive/markdown-html.ts'
import { endpointPage, layout, reference } from '../derive/reference.ts'
import { searchIndex } from '../derive/search-index.ts'

const ROOT = join(import.meta.dirname, '../..')

export interface Served {
  readonly path: string
  /** The extension of a file of the same type. */
  readonly extension: string
  /** Makes the content when it is requested. */
  readonly content: () => string | Buffer
}

/** The reference, its parts, and the documents with their pictures. */
export function documents(sources: Sources): Served[] {
  const derived = markdownPages(sources)
  const names = filesAt('{docs/**/*,deploy/README}.md')
  const pictures = filesAt('docs/**/*.{png,svg}')
  const configurations = filesAt('deploy/**/*').filter((name) => !name.endsWith('.md'))
  const isServed = servedFrom(derived, [...names, ...pictures, ...configurations])
  let own: MarkdownPage[] | undefined
  const files = () => (own ??= names.map((name) => documentOf(name, isServed)))
  const pages = () => [...files(), ...derived]
  const rendered = ({ path, summary, text, title }: MarkdownPage): string =>
    layout(pages(), {
      path: pageOf(path),
      title: `${title} · quantd`,
      description: summary,
      markdown: path,
      main: { markup: `<div class="document">\n${markdownHtml(text()).markup}</div>` },
    })
  const endpoints = new Map(describe(sources).map((one) => [`/docs/reference/${one.id}.md`, one]))
  const derivedPage = (page: MarkdownPage): string => {
    const endpoint = endpoints.get(page.path)
    return endpoint === undefined ? rendered(page) : endpointPage(sources, pages(), endpoint)
  }
  return [
    page('/docs', () => reference(sources, pages())),
    ...derived
      .filter(({ path }) => path !== '/docs.md')
      .map((one) => page(pageOf(one.path), () => derivedPage(one))),
    ...derived.map(({ path, text }) => file(path, text)),
    ...names.flatMap((name, index) => [
      page(pageOf(`/${name}`), () => rendered(files()[index])),
      file(`/${name}`, () => files()[index].text()),
    ]),
    ...pictures.map((name) => file(`/${name}`, () => readFileSync(join(ROOT, name)))),
    ...configurations.map((name) => ({
      path: `/${name}`,
      extension: '.txt',
      content: () => readFileSync(join(ROOT, name)),
    })),
    file('/llms.txt', () => llmsTxt(pages())),
    file('/assets/search.json', () => JSON.stringify(searchIndex([...derived, ...files()]))),
  ]
}

/** The page for unknown addresses, which is made once because it is the same for all of them. */
export function notFoundPage(sources: Sources): () => Buffer {
  let made: Buffer | undefined
  return () =>
    (made ??= Buffer.from(
      layout(markdownPages(sources), {
        path: '/404',
        title: 'Page not found · quantd',
        description: 'There is no page at this address.',
        markdown: '/llms.txt',
        main: html`<h1>Page not found</h1>
<p class="lead">There is no page at this address. Back to the <a href="/">console</a> or the <a href="/docs">reference</a>.</p>`,
      }),
    ))
}

const page = (path: string, content: Served['content']): Served => ({ path, extension: '.html', content })

const file = (path: string, content: Served['content']): Served => ({
  path,
  extension: extname(path),
  content,
})

/** Names of files, of which an installed package may lack some; of the documents the index of docs/ is the first. */
const filesAt = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'))
    .sort((a, b) => placeOf(a) - placeOf(b) || (a < b ? -1 : 1))

/** The headings of the contents by folder, in their order. */
const GROUPS: Readonly<Record<string, string>> = {
  'docs/tutorials': 'Tutorials',
  'docs/how-to': 'How-to guides',
  deploy: 'How-to guides',
  'docs/explanation': 'Explanation',
  docs: 'Reference',
}

const placeOf = (name: string): number => Object.keys(GROUPS).indexOf(posix.dirname(name))

/** Whether the target of a link in a document is served. */
function servedFrom(
  derived: readonly MarkdownPage[],
  names: readonly string[],
): (name: string, target: string) => boolean {
  const served = new Set([...names.map((name) => `/${name}`), ...derived.map(({ path }) => path)])
  return (name, target) => served.has(posix.join('/', posix.dirname(name), target.split('#')[0]))
}

/** A document begins with its title and a paragraph. Links to files that are not served become their text. */
function documentOf(name: string, isServed: (name: string, target: string) => boolean): MarkdownPage {
  const text = readFileSync(join(ROOT, name), 'utf8').replace(
    /!?\[([^\]]*)\]\(([^)\s]+)\)/g,
    (link, words: string, target: string) =>
      /^(\w+:|#|\/)/.test(target) || isServed(name, target) ? link : words,
  )
  const [, title = name, paragraph = ''] = /^# (.*)\n+([\s\S]*?)(?=\n\n|$)/.exec(text) ?? []
  const words = paragraph.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\s+/g, ' ')
  return {
    kind: 'document',
    path: `/${name}`,
    title,
    summary: /^.*?\.(?= |$)/.exec(words)?.[0] ?? `${title}.`,
    text: () => text,
    group: GROUPS[posix.dirname(name)] ?? 'Reference',
  }
}
