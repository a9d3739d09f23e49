/** Guide and reference as Markdown, for programs and models that read them: /llms.txt, and one page per endpoint. */
import { operationId } from './code/request-code.ts'
import { type Described, describe, type Failures, type Sources } from './described.ts'
import { failureMessages } from './failure-messages.ts'
import { failurePage } from './failure-page.ts'
import { guide, type Section } from './guide.ts'
import { innerFields } from './inner-fields.ts'
import { boundsInWords, type JsonSchema, plain, typeInWords } from './rules.ts'
import { samplesOf } from './samples.ts'

export interface MarkdownPage {
  /** Route, for example `/docs/reference/pricingBsPrice.md`. */
  readonly path: string
  readonly title: string
  /** One sentence. */
  readonly summary: string
  readonly text: string
}

/** Pages of the guide, of every failure code and of every endpoint, and `/docs.md`, which holds guide and endpoints. */
export function markdownPages(sources: Sources): MarkdownPage[] {
  const sections = [
    ...guide(sources.offer).map((section) =>
      page(section.id, section.title, firstSentence(section.paragraphs[0]), guideText(section)),
    ),
    page('errors', 'Failure codes', 'Every code with its status and message.', failureText(sources.failures)),
  ]
  const described = describe(sources)
  const codes = Object.entries(sources.failures).map(([code, { status, title }]) =>
    page(`errors/${code}`, `${status} ${code}`, `${title}.`, failurePage(code, sources.failures, described)),
  )
  const endpoints = described.map((one) =>
    page(one.id, one.title, firstSentence(one.summary), endpointText(one, sources.failures)),
  )
  const all = [...sections, ...endpoints].map(({ text }) => text.replace(/^#/gm, '##')).join('\n')
  return [
    ...sections,
    ...codes,
    ...endpoints,
    {
      path: '/docs.md',
      title: 'All in one page',
      summary: 'The guide and the reference of every endpoint.',
      text: `# quantd ${sources.version}\n\n${all}`,
    },
  ]
}

/** The paths of markdownPages, without making the pages. */
export const markdownPaths = (sources: Sources): string[] => [
  ...[...sectionIds(sources), ...codeIds(sources), ...endpointIds(sources)].map(pathOf),
  '/docs.md',
]

/**
 * @param pages of markdownPages
 * @param documents pages that are not derived from the declarations
 */
export function llmsTxt(
  sources: Sources,
  pages: readonly Omit<MarkdownPage, 'text'>[],
  documents: readonly Omit<MarkdownPage, 'text'>[],
): string {
  const computations = new Set(
    describe(sources)
      .filter(({ computation }) => computation)
      .map(({ id }) => pathOf(id)),
  )
  const sections = new Set([...sectionIds(sources).map(pathOf), '/docs.md'])
  const codes = new Set(codeIds(sources).map(pathOf))
  const isOther = (path: string) => !computations.has(path) && !sections.has(path) && !codes.has(path)
  const links = (some: readonly Omit<MarkdownPage, 'text'>[]): string =>
    some.map(({ path, summary, title }) => `- [${title}](${path}): ${summary}`).join('\n')
  return [
    '# quantd',
    '> Self-hosted service for quantitative-finance computations over HTTP and JSON, with API keys, credits and rate limits. Send JSON to the path of a computation with the key in the header X-API-Key. AI clients use the same computations as MCP tools at /mcp.',
    `## Guide\n\n${links(pages.filter(({ path }) => sections.has(path)))}`,
    `## Computations\n\n${links(pages.filter(({ path }) => computations.has(path)))}`,
    `## Accounts and service\n\n${links(pages.filter(({ path }) => isOther(path)))}`,
    `## Failure codes\n\n${links(pages.filter(({ path }) => codes.has(path)))}`,
    `## Documents\n\n${links(documents)}`,
    '## Optional\n\n- [OpenAPI 3.1](/openapi.json): The same endpoints for tools.',
  ]
    .map((part) => `${part.trimEnd()}\n`)
    .join('\n')
}

const sectionIds = ({ offer }: Sources): string[] => [...guide(offer).map(({ id }) => id), 'errors']

const codeIds = ({ failures }: Sources): string[] => Object.keys(failures).map((code) => `errors/${code}`)

const endpointIds = ({ endpoints, operations }: Sources): string[] =>
  [...operations, ...endpoints].map(({ path }) => operationId(path))

/** Apart from the documents of docs/, whose names are below /docs/. */
const pathOf = (id: string): string => `/docs/reference/${id}.md`

const page = (id: string, title: string, summary: string, text: string): MarkdownPage => ({
  path: pathOf(id),
  title,
  summary,
  text,
})

const firstSentence = (text: string): string => /^.*?[.](?= [A-Z`]|$)/s.exec(text)?.[0] ?? text

const guideText = ({ paragraphs, table, title }: Section): string =>
  `${[`# ${title}`, ...paragraphs, ...(table === undefined ? [] : [tableOf(table.head, table.rows)])].join(
    '\n\n',
  )}\n`

function endpointText(one: Described, failures: Failures): string {
  const key = { none: 'none', any: 'any key, in X-API-Key', registered: 'the key of a registered account' }[
    one.key
  ]
  return `${[
    `# ${one.title}`,
    `\`${one.method} ${one.path}\`. Key: ${key}.`,
    one.summary,
    ...(one.input === null ? [] : ['## Request body', fieldTable(plain(one.input))]),
    ...(one.query === null ? [] : ['## Query', fieldTable(plain(one.query))]),
    '## Response data',
    ...(plain(one.output).anyOf ?? [plain(one.output)]).map(fieldTable),
    '## Example',
    fenced('sh', samplesOf(one).curl),
    fenced(
      'json',
      JSON.stringify({
        success: true,
        data: one.example.output,
        ...(one.message !== null && { message: one.message }),
      }),
    ),
    `## Failures\n\n${one.failures.map((code) => `- ${failures[code].status} [\`${code}\`](/docs/reference/errors/${code}.md): ${failures[code].title}`).join('\n')}`,
  ].join('\n\n')}\n`
}

const fieldTable = (schema: JsonSchema): string =>
  tableOf(
    ['Field', 'Type', 'Needed', 'Rule', 'Description'],
    innerFields(schema).map(({ path, schema: field, isRequired }) => [
      `\`${path}\``,
      typeInWords(field),
      field.default === undefined ? (isRequired ? 'yes' : 'no') : `default ${JSON.stringify(field.default)}`,
      field.type === 'string' ? '' : boundsInWords(field),
      field.description ?? '',
    ]),
  )

const failureText = (failures: Failures): string =>
  `# Failure codes\n\nIn order of precedence: if several apply, the reply carries the first.\n\n${tableOf(
    ['Status', 'Code', 'Condition', 'Message, or an example of it'],
    Object.entries(failures).map(([code, { status, title }]) => [
      String(status),
      `[\`${code}\`](/docs/reference/errors/${code}.md)`,
      title,
      failureMessages[code] ?? '',
    ]),
  )}\n`

const fenced = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  return [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}
