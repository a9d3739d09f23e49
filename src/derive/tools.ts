/**
 * The MCP tools: one per computation, and the two that tell about the account; short, since a model reads all of them before its first
 * call. A description ends with the fields of the result; an `outputSchema`, which few clients show to their model, would make the list
 * longer by half.
 */
import { type Described, describe, type Sources } from './documented-endpoints.ts'
import { type JsonSchema, plain } from './schemas.ts'

export interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema & { readonly type: 'object' }
  readonly annotations: { readonly readOnlyHint: boolean }
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

// A tool changes nothing but the balance of the account, so that a hint about repeated calls would mean nothing.
const annotations = { readOnlyHint: true }

export const computationTools = (sources: Sources): ComputationTool[] =>
  describe(sources)
    .filter(({ computation, path }) => computation && !path.endsWith(COLUMNS_PATH))
    .map((one) => ({
      name: toolName(one.path),
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

/** One tool for all computations: one for each would make the list of tools twice as long. */
const columnsTool: Tool = {
  name: COLUMNS,
  description:
    'Many rows of one computation of numbers and words. Returns columns (an item per row, null if it failed), rows, succeeded, failed, errors (the first 1,000).',
  inputSchema: {
    type: 'object',
    properties: {
      tool: { type: 'string' },
      columns: { type: 'object', description: 'each argument: one value, or one per row' },
    },
    required: ['tool', 'columns'],
  },
  annotations,
}

export const accountTools: readonly Tool[] = [
  {
    name: QUOTE,
    description:
      'Whether a call would succeed now, at which cost; free. Returns would_succeed, cost (credits), reason?, credits (balance), windows (requests left).',
    inputSchema: {
      type: 'object',
      properties: {
        tool: { type: 'string' },
        arguments: { type: 'object' },
      },
      required: ['tool', 'arguments'],
    },
    annotations,
  },
  {
    name: ACCOUNT,
    description:
      'The account of the key; free. Returns account_type, credits (balance), windows (requests left), cap?, cap_left?, cap_resets_at? (team key), expires_at? (guest key).',
    inputSchema: { type: 'object', properties: {} },
    annotations,
  },
]

/** `/quantlib/pricing/bs/implied-volatility` → `pricing_bs_implied_volatility`. */
const toolName = (path: string): string => path.replace(/^\/quantlib\//, '').replace(/[/-]/g, '_')

const description = ({ input, output, summary }: Described): string =>
  `${/^.*?(?=[;:]| \(|\. )/.exec(summary)![0]}. ${returned(plain(output), plain(input!).properties ?? {})}`

/** The fields of a result, but for those that repeat an argument; neighbours of one text have it in common. */
function returned({ properties = {}, required = [] }: JsonSchema, given: object): string {
  const fields = Object.entries(properties)
    .filter(([name]) => !(name in given))
    .map(([name, { description = '' }]) => ({
      name: required.includes(name) ? name : `${name}?`,
      text: clause(description),
    }))
  const texts = fields.map(({ name, text }, i) => (fields[i + 1]?.text === text ? name : `${name} (${text})`))
  return `Returns ${texts.join(', ')}.`
}

/** The text before its first semicolon: declarations say first what a value is, and its unit. */
const clause = (text: string): string => text.split('; ')[0]

/** The schema with types, words, defaults and short descriptions. The service explains a bound when a request breaks it. */
const shortened = ({
  anyOf,
  default: usual,
  description,
  enum: words,
  items,
  properties,
  required,
  type,
}: JsonSchema): object => ({
  ...(type !== undefined && { type }),
  ...(anyOf !== undefined && { type: anyOf.map(({ type }) => type!) }),
  ...(words !== undefined && { enum: words }),
  // The words of a choice say what it is.
  ...(description !== undefined && words === undefined && { description: clause(description) }),
  ...(usual !== undefined && !isNothing(usual) && { default: usual }),
  ...(items?.properties !== undefined && { items: shortened(items) }),
  ...(properties !== undefined &&
    Object.keys(properties).length > 0 && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, shortened(property)]),
      ),
    }),
  ...(required !== undefined && { required }),
})

/** Whether a default is what anyone expects of an argument that is absent. */
const isNothing = (value: unknown): boolean =>
  value === 0 || value === false || (Array.isArray(value) && value.length === 0)
