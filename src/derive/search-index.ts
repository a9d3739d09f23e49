/** The words that the search looks through: pages of the reference, sections of the documents, headers. */
import { replyHeaders } from './headers.ts'
import type { MarkdownPage } from './markdown.ts'
import { anchor, pageOf } from './markdown-html.ts'

export interface SearchEntry {
  readonly title: string
  readonly kind: MarkdownPage['kind'] | 'header'
  /** Address of the page, with an anchor. */
  readonly address: string
  readonly text: string
}

export const searchIndex = (pages: readonly MarkdownPage[]): SearchEntry[] => [
  ...pages.filter(({ path }) => path !== '/docs.md').flatMap(entriesOf),
  ...Object.entries(replyHeaders).map(
    ([name, { description }]): SearchEntry => ({
      title: name,
      kind: 'header',
      address: '/docs/reference/limits',
      text: description,
    }),
  ),
]

/** One entry for a page, or for each section of a document. The failures that an endpoint may send have pages of their own. */
function entriesOf({ kind, path, text, title }: MarkdownPage): SearchEntry[] {
  const address = pageOf(path)
  const [first, ...sections] = text().split(kind === 'document' ? /^## /m : /^## Failures$/m)
  const own = { title, kind, address, text: wordsOf(first) }
  if (kind !== 'document') return [own]
  const others = sections.map((section) => {
    const heading = section.slice(0, section.indexOf('\n'))
    return {
      title: `${title}: ${heading}`,
      kind,
      address: `${address}#${anchor(heading)}`,
      text: wordsOf(section),
    }
  })
  return [own, ...others]
}

/** Markdown without its code fences, tables' rules, comments and addresses. */
const wordsOf = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->|\]\([^)]*\)|[`*|#[\]]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
