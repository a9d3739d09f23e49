/** The words that the search of the reference looks through: endpoints with their fields, failure codes, guides, headers. */
import { describe, type Sources } from './described.ts'
import { failureMessages } from './failure-messages.ts'
import { guide } from './guide.ts'
import { replyHeaders } from './headers.ts'
import { type JsonSchema, plain } from './rules.ts'
import { tutorials } from './tutorials.ts'

export interface SearchEntry {
  readonly title: string
  readonly kind: 'endpoint' | 'failure' | 'guide' | 'header'
  /** Anchor on the reference page. */
  readonly anchor: string
  readonly text: string
}

export const searchIndex = (sources: Sources): SearchEntry[] => [
  ...describe(sources).map(
    ({ id, title, method, path, summary, input, query, output }): SearchEntry => ({
      title,
      kind: 'endpoint',
      anchor: id,
      text: [
        method,
        path,
        summary,
        ...[input, query, output].flatMap((schema) => (schema === null ? [] : words(plain(schema)))),
      ].join(' '),
    }),
  ),
  ...Object.entries(sources.failures).map(
    ([code, { status, title }]): SearchEntry => ({
      title: `${status} ${code}`,
      kind: 'failure',
      anchor: `error-${code}`,
      text: `${title} ${failureMessages[code] ?? ''}`,
    }),
  ),
  ...guide(sources.offer).map(
    ({ id, title, paragraphs, table }): SearchEntry => ({
      title,
      kind: 'guide',
      anchor: id,
      text: [...paragraphs, ...(table?.rows.flat() ?? [])].join(' '),
    }),
  ),
  ...tutorials(sources.offer).map(
    ({ id, title, steps }): SearchEntry => ({
      title,
      kind: 'guide',
      anchor: id,
      text: steps.map(({ text, code }) => `${text} ${code?.text ?? ''}`).join(' '),
    }),
  ),
  ...Object.entries(replyHeaders).map(
    ([name, { description }]): SearchEntry => ({
      title: name,
      kind: 'header',
      anchor: 'limits',
      text: description,
    }),
  ),
]

/** Names and descriptions of all fields. */
const words = ({ properties = {}, items, anyOf = [] }: JsonSchema): string[] => [
  ...Object.entries(properties).flatMap(([name, field]) => [name, field.description ?? '', ...words(field)]),
  ...(items ? words(items) : []),
  ...anyOf.flatMap(words),
]
