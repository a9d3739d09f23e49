/** Guide and reference as Markdown, for programs and models that read them: /llms.txt, and one page per endpoint. */
import { type Described, describe, type Failures, type Sources } from './described.ts'
import { EVENTS_SUMMARY, eventsPage } from './events-page.ts'
import { failureMessages } from './failure-messages.ts'
import { failurePage } from './failure-page.ts'
import { guide, type Section } from './guide.ts'
import { fieldTable, tableOf } from './markdown-tables.ts'
import { plain } from './rules.ts'
import { samplesOf } from './samples.ts'

/** Kinds of pages, with their headings in /llms.txt. */
const HEADINGS = {
  guide: 'Guide',
  computation: 'Computations',
  endpoint: 'Accounts and service',
  failure: 'Failure codes',
  document: 'Documents',
}

export interface MarkdownPage {
  readonly kind: keyof typeof HEADINGS
  /** Heading in the contents; null: it is not listed there. */
  readonly group: string | null
  /** Route, for example `/docs/reference/pricingBsPrice.md`. */
  readonly path: string
  readonly title: string
  /** One sentence. */
  readonly summary: string
  text(): string
}

/** Pages of the guide, of events, of every failure code and of every endpoint, and `/docs.md`, which holds guide and endpoints. */
export function markdownPages(sources: Sources): MarkdownPage[] {
  const { events, failures, offer, version } = sources
  const described = describe(sources)
  const sections = guide(offer).map((section) => ({
    kind: 'guide' as const,
    group: 'Guide',
    path: pathOf(section.id),
    title: section.title,
    summary: firstSentence(section.paragraphs[0]),
    text: () => `# ${section.title}\n\n${guideText(section)}\n`,
  }))
  const errors = {
    kind: 'guide' as const,
    group: 'Guide',
    path: pathOf('errors'),
    title: 'Failure codes',
    summary: 'Every code with its status and message.',
    text: () => `# Failure codes\n\n${failureText(failures)}\n`,
  }
  const eventTypes = {
    kind: 'guide' as const,
    group: 'Guide',
    path: pathOf('events'),
    title: 'Events',
    summary: EVENTS_SUMMARY,
    text: () => eventsPage(events),
  }
  const codes = Object.entries(failures).map(([code, { status, title }]) => ({
    kind: 'failure' as const,
    group: null,
    path: pathOf(`errors/${code}`),
    title: `${status} ${code}`,
    summary: `${title}.`,
    text: () => failurePage(code, failures, described),
  }))
  const endpoints = described.map((one) => ({
    kind: one.computation ? ('computation' as const) : ('endpoint' as const),
    group: one.area,
    path: pathOf(one.id),
    title: one.title,
    summary: firstSentence(one.summary),
    text: () => `# ${one.title}\n\n${endpointText(one, failures)}\n\n${exampleText(one)}\n`,
  }))
  const all = {
    kind: 'guide' as const,
    group: null,
    path: '/docs.md',
    title: 'All in one page',
    summary: 'The guide and the reference of every endpoint.',
    text: () =>
      `# quantd ${version}\n\n${[...sections, errors, ...endpoints].map(({ text }) => text().replace(/^#/gm, '##')).join('\n')}`,
  }
  return [...sections, errors, eventTypes, ...codes, ...endpoints, all]
}

/** /llms.txt: the pages by their kinds. */
export const llmsTxt = (pages: readonly MarkdownPage[]): string =>
  [
    '# quantd',
    '> Self-hosted service for quantitative-finance computations over HTTP and JSON, with API keys, credits and rate limits. Send JSON to the path of a computation with the key in the header X-API-Key. AI clients use the same computations as MCP tools at /mcp.',
    ...Object.entries(HEADINGS).map(([kind, heading]) => {
      const links = pages.filter((page) => page.kind === kind)
      return [
        `## ${heading}\n`,
        ...links.map(({ path, summary, title }) => `- [${title}](${path}): ${summary}`),
      ].join('\n')
    }),
    '## Optional\n\n- [OpenAPI 3.1](/openapi.json): The same endpoints for tools.',
  ]
    .map((part) => `${part}\n`)
    .join('\n')

/** Apart from the documents of docs/, whose names are below /docs/. */
const pathOf = (id: string): string => `/docs/reference/${id}.md`

const firstSentence = (text: string): string => /^.*?[.](?= [A-Z`]|$)/s.exec(text)?.[0] ?? text

/** A section of the guide without its title. */
const guideText = ({ paragraphs, table }: Section): string =>
  [...paragraphs, ...(table === undefined ? [] : [tableOf(table.head, table.rows)])].join('\n\n')

const KEYS = { none: 'none', any: 'any key, in X-API-Key', registered: 'the key of a registered account' }

/** Route, fields and failures of an endpoint, without its title and its example. */
export const endpointText = (one: Described, failures: Failures): string =>
  [
    `\`${one.method} ${one.path}\`. Key: ${KEYS[one.key]}.`,
    one.summary,
    ...(one.input === null ? [] : ['## Request body', fieldTable(plain(one.input))]),
    ...(one.query === null ? [] : ['## Query', fieldTable(plain(one.query))]),
    '## Response data',
    ...(plain(one.output).anyOf ?? [plain(one.output)]).map(fieldTable),
    '## Failures',
    one.failures
      .map(
        (code) =>
          `- ${failures[code].status} [\`${code}\`](${pathOf(`errors/${code}`)}): ${failures[code].title}`,
      )
      .join('\n'),
  ].join('\n\n')

const exampleText = (one: Described): string =>
  `## Example\n\n\`\`\`sh\n${samplesOf(one).curl}\n\`\`\`\n\n\`\`\`json\n${JSON.stringify(exampleReply(one))}\n\`\`\``

/** The reply to the example of an endpoint. */
export const exampleReply = ({ example, message }: Described) => ({
  success: true,
  ...(message !== null && { message }),
  data: example.output,
})

/** The table of all codes. */
const failureText = (failures: Failures): string =>
  `In order of precedence: if several apply, the reply carries the first.\n\n${tableOf(
    ['Status', 'Code', 'Condition', 'Message, or an example of it'],
    Object.entries(failures).map(([code, { status, title }]) => [
      String(status),
      `[\`${code}\`](${pathOf(`errors/${code}`)})`,
      title,
      failureMessages[code],
    ]),
  )}`
