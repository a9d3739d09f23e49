/** The generated files of the TypeScript client: its types, its failure codes and its table of endpoints. */
import {
  capitalised,
  type Described,
  describe,
  isBatch,
  isColumns,
  type Sources,
} from '../../src/derive/documented-endpoints.ts'
import { plain } from '../../src/derive/schemas.ts'
import { comment, type Declared, declarations } from './typescript-types.ts'

export const HEADING =
  'generated from the declarations of the service by `npm run generate`; do not edit. */\n'

/** clients/typescript/types.ts: an input and a data type per endpoint, and the signature of each method. */
export function clientTypes(sources: Sources): string {
  const all = describe(sources)
  const described = all.filter((one) => !isBulk(one))
  return [
    `/** Requests and results of every endpoint, ${HEADING}`,
    "import type { Call } from './call.ts'\nimport type { Numbers } from './numbers.ts'\nimport type { CallOptions } from './options.ts'\n",
    ...declarations(described.flatMap((one) => declaredTypes(one.id, one, true))),
    `/** One method per endpoint. */\nexport interface Methods {\n${described.map(method).join('\n')}\n}\n`,
    namesOf(
      'Computations',
      'Input and data of each computation, by the name of its method.',
      described.filter(({ computation }) => computation),
    ),
    namesOf(
      'ColumnComputations',
      'The computations of which one request takes many rows.',
      described.filter(({ path }) => all.some((one) => one.path === `${path}/columns`)),
    ),
  ].join('\n')
}

/** clients/typescript/failure-codes.ts. */
export const clientFailureCodes = ({ failures }: Sources): string =>
  `/** Failure codes of the service, in order of precedence, ${HEADING}\nexport type FailureCode =\n${Object.keys(
    failures,
  )
    .map((code) => `  | '${code}'\n`)
    .join('')}`

/** clients/typescript/endpoints.ts: kind, path and input of each method, for the transport. */
export function clientEndpoints(sources: Sources): string {
  const all = describe(sources)
  const columnIds = all
    .filter(({ path }) => all.some((one) => one.path === `${path}/columns`))
    .map(({ id }) => id)
  const rows = all
    .filter((one) => !isBulk(one))
    .map((one) => {
      const kind = one.computation ? 'computation' : one.method === 'GET' ? 'query' : 'change'
      return `  ${one.id}: { kind: '${kind}', path: '${one.path}', input: ${argumentOf(one) !== null} },\n`
    })
  return [
    `/** Path and kind of every endpoint, ${HEADING}`,
    'export interface Endpoint {',
    '  /** Computations and queries are safe to retry; changes of the account are not. */',
    "  readonly kind: 'computation' | 'query' | 'change'",
    '  readonly path: string',
    '  /** Whether the method takes a body or a query. */',
    '  readonly input: boolean\n}\n',
    `export const endpoints = {\n${rows.join('')}} as const satisfies Record<string, Endpoint>\n`,
    `/** The computations of which one request takes many rows. */\nexport const columnMethods = [\n${columnIds.map((id) => `  '${id}',\n`).join('')}] as const\n`,
  ].join('\n')
}

/** Whether an endpoint is the batch or columns: their methods are written by hand, with types that follow from their calls. */
const isBulk = (one: Described): boolean => isBatch(one) || isColumns(one)

function namesOf(name: string, heading: string, some: readonly Described[]): string {
  const rows = some.map(
    ({ id }) => `  ${id}: { input: ${capitalised(id)}Input; data: ${capitalised(id)}Data }\n`,
  )
  return `/** ${heading} */\nexport interface ${name} {\n${rows.join('')}}\n`
}

/** The argument of a method besides the options: its body or its query. */
export const argumentOf = ({ input, query }: Pick<Described, 'input' | 'query'>) => input ?? query

/** The types of a method's input, if it takes one, and of its data. */
export function declaredTypes(
  id: string,
  one: Pick<Described, 'input' | 'query' | 'output'>,
  takesTypedArrays: boolean,
): Declared[] {
  const input = argumentOf(one)
  return [
    ...(input === null ? [] : [{ name: `${capitalised(id)}Input`, schema: plain(input), takesTypedArrays }]),
    { name: `${capitalised(id)}Data`, schema: plain(one.output), takesTypedArrays: false },
  ]
}

function method(one: Described): string {
  const input = argumentOf(one)
  const name = capitalised(one.id)
  const optional = input !== null && (plain(input).required ?? []).length === 0
  const parameters = [
    ...(input === null ? [] : [`input${optional ? '?' : ''}: ${name}Input`]),
    'options?: CallOptions',
  ]
  return `${comment(`${one.title}. ${one.summary}`, '  ')}  ${one.id}(${parameters.join(', ')}): Call<${name}Data>`
}
