/** The MCP tools: one per computation, and the two that tell about the account; short, since a model reads all of them. */
import { type Described, describe, type Sources } from './described.ts'
import { type JsonSchema, plain } from './rules.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly outputSchema: ResultSchema
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly openWorldHint: boolean
  }
}

/** JSON Schema of the structured content of a success. */
interface ResultSchema {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

interface ComputationTool extends Tool {
  /** The endpoint that the tool calls. */
  readonly path: string
}

/** Names of the tools that are not named after a path. */
export const QUOTE = 'quote'
export const ACCOUNT = 'account'
export const COLUMNS = 'columns'

/** The end of the path of an endpoint that computes many rows of an operation. */
export const COLUMNS_PATH = '/columns'

/** Characters of a description; a longer one ends at the last sentence that fits. */
const MAX_SUMMARY = 150

// A tool changes nothing but the balance of the account, so that a hint about repeated calls would mean nothing.
const annotations = { readOnlyHint: true, openWorldHint: false }

export const computationTools = (sources: Sources): ComputationTool[] =>
  describe(sources)
    .filter(({ computation, path }) => computation && !path.endsWith(COLUMNS_PATH))
    .map((one) => ({
      name: toolName(one.path),
      title: one.title,
      description: description(one),
      inputSchema: shortened(plain(one.input!)) as Tool['inputSchema'],
      outputSchema: resultSchema(plain(one.output)),
      annotations,
      path: one.path,
    }))

/** The tools as a client lists them. */
export const toolList = (sources: Sources): Tool[] => [
  ...computationTools(sources).map(({ path: _, ...tool }) => tool),
  columnsTool(sources),
  ...accountTools,
]

/** One tool for all computations: one for each would make the list of tools twice as long. */
const columnsTool = (sources: Sources): Tool => ({
  name: COLUMNS,
  title: 'Columns',
  description:
    'Many rows of one computation whose arguments are numbers and words, in one request. Each argument is a value for all rows, or a list with one value per row. Charged per successful row.',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string', description: 'name of the computation, for example pricing_bs_price' },
      columns: { type: 'object', description: 'its arguments in their units, each a value or a list' },
    },
    required: ['tool', 'columns'],
  },
  outputSchema: resultSchema(resultOfColumns(sources)),
  annotations,
})

/** The results of all computations have the same form, but for the names of their columns. */
function resultOfColumns(sources: Sources): JsonSchema {
  const { output } = sources.operations.find(({ path }) => path.endsWith(COLUMNS_PATH))!
  const { properties = {}, ...rest } = plain(output)
  const { description } = properties.columns
  return { ...rest, properties: { ...properties, columns: { type: 'object', description: description! } } }
}

const count = (description: string) => ({ type: 'integer', description })
const CREDITS = count('balance in credits')
const windows = (properties: object) => ({
  type: 'array',
  description: 'the rate-limit windows',
  items: {
    type: 'object',
    properties: {
      window: { type: 'string', description: 'hour, day, or key_hour of a team key' },
      limit: count('requests in a window'),
      remaining: count('requests that are left'),
      ...properties,
    },
    required: ['window', 'limit', 'remaining', ...Object.keys(properties)],
  },
})

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
    outputSchema: {
      type: 'object',
      properties: {
        would_succeed: { type: 'boolean', description: 'whether the call would succeed now' },
        cost: count('credits that it would cost; 0 if its arguments are not valid'),
        reason: { type: 'object', description: 'why it would fail: code, message, details' },
        credits: CREDITS,
        windows: windows({}),
      },
      required: ['would_succeed', 'cost'],
    },
    annotations,
  },
  {
    name: ACCOUNT,
    title: 'Account',
    description: 'Balance in credits, account type, and the requests left in each rate-limit window. Free.',
    inputSchema: { type: 'object', properties: {} },
    outputSchema: {
      type: 'object',
      properties: {
        account_type: { type: 'string', description: 'kind of the account; team: the key is a team key' },
        credits: CREDITS,
        cap: count('of a team key: credits that it may spend in a period'),
        cap_left: count('of a team key: credits of the cap that are left'),
        cap_resets_at: { type: 'string', description: 'of a team key: when the cap renews, ISO 8601' },
        expires_at: { type: 'string', description: 'of a guest key: end of its life, ISO 8601' },
        windows: windows({ ends_in_seconds: count('until the window ends, in seconds') }),
      },
      required: ['account_type', 'credits', 'windows'],
    },
    annotations,
  },
]

/** `/quantlib/pricing/bs/implied-volatility` → `pricing_bs_implied_volatility`. */
const toolName = (path: string): string => path.replace(/^\/quantlib\//, '').replace(/[/-]/g, '_')

/** The summary with the path, which a call of a batch names. */
const description = ({ path, summary }: Described): string => `${firstSentences(summary)} Path: ${path}`

/** The schema of a result, without bounds and the fields of inner objects; an object may replace a long list. */
const resultSchema = ({ properties = {}, required = [] }: JsonSchema): ResultSchema => ({
  type: 'object',
  properties: Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [name, summarisable(property)]),
  ),
  required,
})

/** The keywords that the schema of a result leaves out. */
const UNTOLD = [
  'additionalProperties',
  'maximum',
  'maxItems',
  'maxLength',
  'minimum',
  'minItems',
  'minLength',
  'properties',
  'required',
]

const summarisable = ({ items, type, ...rest }: JsonSchema): object => ({
  ...(type !== undefined && { type: type === 'array' ? ['array', 'object'] : type }),
  ...(items !== undefined && {
    items: items.type === 'object' ? { type: 'object' } : without(['description'], summarisable(items)),
  }),
  ...without(UNTOLD, rest),
})

const without = (names: readonly string[], schema: object): object =>
  Object.fromEntries(Object.entries(schema).filter(([name]) => !names.includes(name)))

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

/**
 * The schema without the limits of lists and texts, the limits of safe integers, the rule against other fields, descriptions of the
 * items of lists, and defaults that are empty lists. The service explains a rule when a request breaks it.
 */
function shortened(schema: JsonSchema): JsonSchema {
  const { items, maximum, minimum, default: usual, properties, ...all } = schema
  const rest = without(['additionalProperties', 'maxItems', 'minItems', 'maxLength', 'minLength'], all)
  const isBounded = maximum !== Number.MAX_SAFE_INTEGER
  return {
    ...rest,
    ...(minimum !== undefined && isBounded && { minimum }),
    ...(maximum !== undefined && isBounded && { maximum }),
    ...(usual !== undefined && !(Array.isArray(usual) && usual.length === 0) && { default: usual }),
    ...(items !== undefined && { items: without(['description'], shortened(items)) as JsonSchema }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, shortened(property)]),
      ),
    }),
  }
}
