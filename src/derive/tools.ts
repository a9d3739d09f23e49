/** The MCP tools: one per computation, and the two that tell about the account; short, since a model reads all of them. */
import { type Described, describe, type Sources } from './described.ts'
import { type JsonSchema, plain } from './rules.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly idempotentHint: boolean
    readonly openWorldHint: boolean
  }
}

export interface ComputationTool extends Tool {
  /** The endpoint that the tool calls. */
  readonly path: string
}

/** Names of the tools that are not named after a path. */
export const QUOTE = 'quote'
export const ACCOUNT = 'account'
export const COLUMNS = 'columns'

/** Behind the path of a computation, the endpoint for many rows of it. */
export const COLUMNS_PATH = '/columns'

/** Longer descriptions end at the last sentence that fits. */
const MAX_SUMMARY = 240

// A tool changes nothing but the balance of the account.
const annotations = { readOnlyHint: true, idempotentHint: true, openWorldHint: false }

export const computationTools = (sources: Sources): ComputationTool[] =>
  describe(sources)
    .filter(({ computation, path }) => computation && !path.endsWith(COLUMNS_PATH))
    .map((one) => ({
      name: toolName(one.path),
      title: one.title,
      description: description(one),
      inputSchema: shortened(plain(one.input!)) as Tool['inputSchema'],
      annotations,
      path: one.path,
    }))

/** The tools as a client lists them. */
export const toolList = (sources: Sources): Tool[] => [
  ...computationTools(sources).map(({ path: _, ...tool }) => tool),
  columnsTool,
  ...accountTools,
]

/** A list that named the columns of every computation again would be twice as long. */
export const columnsTool: Tool = {
  name: COLUMNS,
  title: 'Columns',
  description:
    'Many rows of one computation whose arguments are numbers and words, in one request. Each argument is a value for all rows, or a list with one value per row. Returns columns (the results as lists, null where a row failed), rows, succeeded, failed, errors. Charged per successful row.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'name of the computation, for example pricing_bs_price' },
      columns: { type: 'object', description: 'its arguments, each a value or a list' },
    },
    required: ['tool', 'columns'],
  },
  annotations,
}

export const accountTools: readonly Tool[] = [
  {
    name: QUOTE,
    title: 'Quote',
    description:
      'Checks a tool call without computing it: whether its arguments are valid, its cost in credits, and whether balance and rate limits admit it now. Consumes nothing.',
    inputSchema: {
      type: 'object',
      properties: {
        tool: { type: 'string', description: 'name of the tool' },
        arguments: { type: 'object', description: 'arguments of the call' },
      },
      required: ['tool', 'arguments'],
    },
    annotations,
  },
  {
    name: ACCOUNT,
    title: 'Account',
    description: 'Balance in credits, account type, and the requests left in each rate-limit window. Free.',
    inputSchema: { type: 'object', properties: {} },
    annotations,
  },
]

/** `/quantlib/pricing/bs/implied-volatility` → `pricing_bs_implied_volatility`. */
const toolName = (path: string): string => path.replace(/^\/quantlib\//, '').replace(/[/-]/g, '_')

/** With the path, which the calls of a batch name. */
function description({ output, path, summary }: Described): string {
  const fields = Object.entries(plain(output).properties ?? {}).map(([name, { description: words }]) =>
    words === undefined ? name : `${name} (${words})`,
  )
  return `${firstSentences(summary)} Returns ${fields.join('; ')}. Path: ${path}`
}

/** As many whole sentences as fit, and at least the first. */
function firstSentences(text: string): string {
  const sentences = text.split(/(?<=[.:]) (?=[A-Z])/)
  let kept = sentences[0]
  for (const sentence of sentences.slice(1)) {
    if (kept.length + 1 + sentence.length > MAX_SUMMARY) break
    kept += ` ${sentence}`
  }
  return kept
}

/** Without the upper limits of lists, which the service explains if they are exceeded. */
function shortened(schema: JsonSchema): JsonSchema {
  const { items, maxItems: _, minItems: __, properties, ...rest } = schema
  return {
    ...rest,
    ...(items !== undefined && { items: shortened(items) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, shortened(property)]),
      ),
    }),
  }
}
