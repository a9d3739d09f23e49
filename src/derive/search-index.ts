/** The words that the search looks through: endpoints with their fields, failure codes, guides, headers, documents. */
import { describe, type Sources } from './described.ts'
import { failureMessages } from './failure-messages.ts'
import { guide } from './guide.ts'
import { replyHeaders } from './headers.ts'
import { anchor } from './markdown-html.ts'
import { type JsonSchema, plain } from './rules.ts'

export interface SearchEntry {
  readonly title: string
  readonly kind: 'endpoint' | 'failure' | 'guide' | 'header' | 'document'
  /** Address of the page, with an anchor. */
  readonly address: string
  readonly text: string
}

/** A document of docs/. */
export interface SearchedDocument {
  readonly path: string
  readonly title: string
  readonly text: string
}

export const searchIndex = (sources: Sources, documents: readonly SearchedDocument[]): SearchEntry[] => [
  ...describe(sources).map(
    ({ id, title, method, path, summary, input, query, output }): SearchEntry => ({
      title,
      kind: 'endpoint',
      address: `/docs#${id}`,
      text: [
        method,
        path,
        summary,
        ...[input, query, output].flatMap((schema) => (schema === null ? [] : words(plain(schema)))),
      ].join(' '),
    }),
  ),
  ...Object.entries(sources.failures).map(
    ([code, { remedy, status, title }]): SearchEntry => ({
      title: `${status} ${code}`,
      kind: 'failure',
      address: `/docs/reference/errors/${code}`,
      text: `${title} ${failureMessages[code] ?? ''} ${remedy}`,
    }),
  ),
  ...guide(sources.offer).map(
    ({ id, title, paragraphs, table }): SearchEntry => ({
      title,
      kind: 'guide',
      address: `/docs#${id}`,
      text: [...paragraphs, ...(table?.rows.flat() ?? [])].join(' '),
    }),
  ),
  ...Object.entries(replyHeaders).map(
    ([name, { description }]): SearchEntry => ({
      title: name,
      kind: 'header',
      address: '/docs#limits',
      text: description,
    }),
  ),
  ...documents.flatMap(sectionsOf),
]

/** One entry for each section of a document. */
function sectionsOf({ path, text, title }: SearchedDocument): SearchEntry[] {
  const [first, ...sections] = text.split(/^## /m)
  const entry = (heading: string | null, words: string): SearchEntry => ({
    title: heading === null ? title : `${title}: ${heading}`,
    kind: 'document',
    address: heading === null ? path : `${path}#${anchor(heading)}`,
    text: wordsOf(words),
  })
  return [
    entry(null, first!),
    ...sections.map((section) => entry(section.slice(0, section.indexOf('\n')), section)),
  ]
}

/** Markdown without its code fences, tables' rules, comments and addresses. */
const wordsOf = (markdown: string): string =>
  markdown
    .replace(/<!--[\s\S]*?-->|\]\([^)]*\)|[`*|#[\]]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Names and descriptions of all fields. */
const words = ({ properties = {}, items, anyOf = [] }: JsonSchema): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [name, field.description ?? '', ...words(field)]),
  ...(items ? words(items) : []),
  ...anyOf.flatMap(words),
]
