/** Guide and reference as Markdown, for programs and models that read them: /llms.txt, and one page per endpoint. */
import { indented, samplesOf } from './code-samples.ts'
import { type Described, describe, type Failures, type Sources } from './documented-endpoints.ts'
import { failureMessages, failureReply, guide, type Section } from './general-rules.ts'
import { fieldInWords, type JsonSchema, plain, typeInWords } from './schemas.ts'

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

/**
 * Pages of the guide, of events, of every failure code and of every endpoint, and `/docs.md`, which holds guide and endpoints.
 */
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
    summary: 'Every type of event with its fields and an example of its message.',
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

/** Has a folder of its own, so that no page takes the path of a document of docs/. */
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

/** The failures whose replies say how long to wait. */
const WAITING = ['rate_limited', 'too_many_attempts', 'overloaded', 'unavailable']

/** Condition, remedy, an example of the reply, and the endpoints that send it. */
function failurePage(code: string, failures: Failures, endpoints: readonly Described[]): string {
  const { remedy, status, title } = failures[code]
  const senders = endpoints.filter((one) => one.failures.includes(code))
  return `${[
    `# ${status} ${code}`,
    `${title}.`,
    `**Remedy**: ${remedy}`,
    '## Example',
    `\`\`\`json\n${indented(failureReply(code))}\n\`\`\``,
    `Programs read \`error.code\`; the text of \`message\` may change. \`error.request_id\`, also in the header \`X-Request-Id\`, leads the operator to the log.${
      WAITING.includes(code)
        ? ' The header `Retry-After` holds the seconds to wait; it is absent where waiting would not help.'
        : ''
    }`,
    '## Sent by',
    senders.length === 0
      ? 'Every path, before the request reaches an endpoint.'
      : senders.map((one) => `- [${one.title}](/docs/reference/${one.id}.md)`).join('\n'),
    'All codes are on the page of [failure codes](/docs/reference/errors.md), in order of precedence.',
  ].join('\n\n')}\n`
}

/** Every type of event with its data and an example of the message. */
const eventsPage = (events: Sources['events']): string =>
  `${[
    '# Events',
    'An event tells the endpoints of the operator what has happened. [Receive events](/docs/how-to/receive-events.md) says how to create an endpoint, verify a message and reply.',
    '`data` of an event about an account begins with `account_id`; guests have no events. Fields may be added to it, never removed. Each message is posted with these headers:',
    tableOf(
      ['Header', 'Example', 'Description'],
      [
        ['`webhook-id`', '`evt_17_1767225600000`', 'the id of the event, the same at each attempt'],
        ['`webhook-timestamp`', '`1767225601`', 'seconds since 1970 at this attempt'],
        ['`webhook-signature`', '`v1,… v1a,…`', 'signatures of id, timestamp and body, by Standard Webhooks'],
      ],
    ),
    ...Object.entries(events).map(([type, { data, example, isOfService, when }]) =>
      [
        `## ${type}`,
        when,
        fieldTable(plain(data)),
        `\`\`\`json\n${indented({ type, timestamp: '2026-12-01T00:00:00.000Z', data: { ...(!isOfService && { account_id: 17 }), ...example } })}\n\`\`\``,
      ].join('\n\n'),
    ),
  ].join('\n\n')}\n`

/** The fields of an object's schema. */
const fieldTable = (schema: JsonSchema): string =>
  tableOf(
    ['Field', 'Type', 'Needed', 'Description'],
    innerFields(schema).map(({ path, schema: field, isRequired }) => {
      const { default: fallback, ...rest } = field
      return [
        `\`${path}\``,
        typeInWords(field),
        fallback === undefined ? (isRequired ? 'yes' : 'no') : `default ${JSON.stringify(fallback)}`,
        fieldInWords(rest, JSON.stringify),
      ]
    }),
  )

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

interface InnerField {
  readonly path: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

/** The fields of an object's schema and of the objects in it, by their paths: `user.email`, `items[].at`. */
const innerFields = ({ properties = {}, required = [] }: JsonSchema, prefix = ''): InnerField[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = prefix + name
    const inner =
      schema.type === 'object'
        ? innerFields(schema, `${path}.`)
        : schema.items?.type === 'object'
          ? innerFields(schema.items, `${path}[].`)
          : []
    return [{ path, schema, isRequired: required.includes(name) }, ...inner]
  })
