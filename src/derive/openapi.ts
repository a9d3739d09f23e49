/** The OpenAPI 3.1 documents of the service, made from the declarations. */
import { ARROW_STREAM } from '../compute/body/media-type.ts'
import {
  capitalised,
  type Described,
  describe,
  type Failures,
  isBatch,
  isOperation,
  type Sources,
} from './documented-endpoints.ts'
import { failureReply, guide } from './general-rules.ts'
import { failureHeaders, replyHeaders, requestHeaders, successHeaders } from './headers.ts'
import { failureSchema, type JsonSchema, plain, published } from './schemas.ts'
import { webhooksOf } from './webhooks.ts'

/** An endpoint of the service's interface, or of the operators', whose key is `token`. */
export type Documented = Omit<Described, 'key'> & {
  readonly key: Described['key'] | 'token'
  /** Present where `format=csv` gives a table. */
  readonly csv?: unknown
  /** Present where a reply may have the request that undoes what was done. */
  readonly undo?: unknown
}

/** The document of the service's interface. */
export function openapi(sources: Sources) {
  const described = describe(sources)
  const areas = [...new Set(described.map(({ area }) => area))]
  return documentOf(described, sources.failures, {
    info: {
      title: 'quantd',
      version: sources.version,
      summary: 'Quantitative-finance computations over HTTP and JSON.',
      description: guide(sources.offer)
        .map(({ title, paragraphs }) => `## ${title}\n\n${paragraphs.join('\n\n')}`)
        .join('\n\n'),
    },
    tags: areas.map((name) => ({ name, description: tagText(name, described) })),
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'X-API-Key',
        description: 'The key of an account (qd_user_…), of a guest (qd_guest_…) or of a team (qd_team_…).',
      },
      bearer: {
        type: 'http',
        scheme: 'bearer',
        description: 'The same keys as a bearer token; two different keys in one request are refused.',
      },
    },
    webhooks: webhooksOf(sources.events),
  })
}

/**
 * A document as text: as small as without any space but with a line for each path and component, so that a difference between two
 * versions can be read.
 */
export function openapiText(document: object): string {
  const members = (value: object, depth: number): string => {
    if (depth === 0 || Array.isArray(value)) return JSON.stringify(value)
    const lines = Object.entries(value).map(
      ([name, inner]) =>
        `${JSON.stringify(name)}:${typeof inner === 'object' ? members(inner, depth - 1) : JSON.stringify(inner)}`,
    )
    return `{\n${lines.join(',\n')}\n}`
  }
  const parts = Object.entries(document).map(
    ([name, value]) =>
      `${JSON.stringify(name)}:${typeof value === 'object' ? members(value, DEPTHS[name] ?? 0) : JSON.stringify(value)}`,
  )
  return `{\n${parts.join(',\n')}\n}\n`
}

/** How deep the members of a part have lines of their own. */
const DEPTHS: Readonly<Record<string, number>> = { paths: 1, webhooks: 1, components: 2 }

interface Frame {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
  }
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly securitySchemes: Readonly<Record<string, object>>
  readonly webhooks?: object
}

/** One OpenAPI operation per endpoint; keys have a fixed order, so that the text is stable. */
export function documentOf(
  described: readonly Documented[],
  failures: Failures,
  { info, securitySchemes, tags, webhooks }: Frame,
) {
  const headers = new Set(described.flatMap((one) => headersOf(one, failures)))
  const parameters = new Set(described.flatMap(headerParametersOf))
  const responses = responsesOf(described, failures)
  const names = new Map(responses.map(({ refusal, name }) => [keyOf(refusal), name]))
  return {
    openapi: '3.1.0',
    info: {
      ...info,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    tags,
    paths: Object.fromEntries(
      Map.groupBy(described, ({ path }) => path)
        .entries()
        .map(([path, some]) => [
          path,
          Object.fromEntries(
            some.map((one) => [one.method.toLowerCase(), operationObject(one, failures, names)]),
          ),
        ]),
    ),
    ...(webhooks !== undefined && { webhooks }),
    components: {
      schemas: {
        Failure: failureSchema(Object.keys(failures)),
        ...Object.fromEntries(described.flatMap((one) => schemasOf(one, described))),
      },
      responses: Object.fromEntries(
        responses.map(({ name, refusal }) => [name, failureResponse(refusal, failures)]),
      ),
      headers: some(replyHeaders, headers),
      parameters: some(requestHeaders, parameters),
      examples: Object.fromEntries(
        Object.entries(failures)
          .filter(([code]) => described.some(({ failures }) => failures.includes(code)))
          .map(([code, { title }]) => [code, { summary: title, value: failureReply(code) }]),
      ),
      securitySchemes,
    },
  }
}

const some = (all: object, names: ReadonlySet<string>): object =>
  Object.fromEntries(Object.entries(all).filter(([name]) => names.has(name)))

const KEY = [{ apiKey: [] }, { bearer: [] }]
const SCHEMES = { any: KEY, registered: KEY, token: [{ token: [] }], none: [] }

/** Whether replies have the headers with the credits and limits of a key. */
const isKeyed = ({ key }: Documented): boolean => key === 'any' || key === 'registered'

function operationObject(one: Documented, failures: Failures, names: ReadonlyMap<string, string>) {
  return {
    operationId: one.id,
    tags: [one.area],
    summary: one.title,
    description: one.summary,
    security: SCHEMES[one.key],
    parameters: parametersOf(one),
    ...(one.input === null ? {} : { requestBody: requestBody(one) }),
    responses: {
      '200': success(one),
      ...Object.fromEntries(
        refusals(one, failures).map((refusal) => [
          String(refusal.status),
          { $ref: `#/components/responses/${names.get(keyOf(refusal))}` },
        ]),
      ),
    },
  }
}

const headerParametersOf = (one: Documented): string[] => [
  'RequestId',
  ...(one.computation ? ['IdempotencyKey'] : []),
]

const headersOf = (one: Documented, failures: Failures): string[] => [
  ...successHeaders({ ...one, keyed: isKeyed(one) }),
  ...refusals(one, failures).flatMap(failureHeaders),
]

function parametersOf(one: Documented) {
  const { properties = {}, required = [] } = one.query === null ? {} : plain(one.query)
  return [
    ...headerParametersOf(one).map((name) => ({ $ref: `#/components/parameters/${name}` })),
    ...Object.entries(properties).map(([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      required: required.includes(name),
      description,
      schema,
    })),
  ]
}

/** A stream of Arrow has no JSON Schema; the guide describes it. Without a schema, generated types would be of any body. */
const BYTES = { schema: { type: 'string', format: 'binary' } }

const requestBody = ({ arrow, id, input, example }: Documented) => ({
  required: (plain(input!).required ?? []).length > 0,
  content: {
    'application/json': { schema: schemaRef(`${id}Input`), example: example.input },
    ...(arrow ? { [ARROW_STREAM]: BYTES } : {}),
  },
})

const UNDO = {
  type: 'object',
  description: 'the request that undoes the act; absent: nothing does',
  required: ['path', 'body'],
  properties: { path: { type: 'string' }, body: { type: 'object' } },
}

function success(one: Documented) {
  const { arrow, computation, csv, example, id, mayLag, message, undo } = one
  return {
    description: 'Success',
    headers: headerRefs(successHeaders({ keyed: isKeyed(one), computation, mayLag })),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['success', ...(message === null ? [] : ['message']), 'data'],
          properties: {
            success: { const: true },
            ...(message === null ? {} : { message: { type: 'string' } }),
            data: schemaRef(`${id}Output`),
            ...(undo === undefined ? {} : { undo: UNDO }),
          },
        },
        example: { success: true, ...(message === null ? {} : { message }), data: example.output },
      },
      ...(arrow ? { [ARROW_STREAM]: BYTES } : {}),
      ...(csv === undefined ? {} : { 'text/csv': { schema: { type: 'string' } } }),
    },
  }
}

/** The response of a status, with the codes that it can carry. */
interface Refusal {
  readonly status: number
  readonly keyed: boolean
  readonly codes: readonly string[]
}

/** The responses of failures: one per status. */
function refusals(one: Documented, failures: Failures): Refusal[] {
  const statuses = [...new Set(one.failures.map((code) => failures[code].status))].sort((a, b) => a - b)
  return statuses.map((status) => ({
    status,
    keyed: isKeyed(one),
    codes: one.failures.filter((code) => failures[code].status === status),
  }))
}

const keyOf = ({ codes, keyed }: Refusal): string => `${keyed} ${codes}`

/** Names of statuses with several failure codes. */
const STATUSES: Readonly<Record<number, string>> = {
  401: 'Unauthorized',
  402: 'PaymentRequired',
  403: 'Forbidden',
  404: 'NotFound',
  409: 'Conflict',
  429: 'TooManyRequests',
  503: 'ServiceUnavailable',
}

/**
 * The different responses of failures, each once, with their names: the code's, or the status's, whose further responses have numbers.
 * Endpoints with the same failures refer to the same response.
 */
function responsesOf(described: readonly Documented[], failures: Failures) {
  const all = new Map(
    described.flatMap((one) => refusals(one, failures)).map((refusal) => [keyOf(refusal), refusal]),
  )
  const taken = new Map<string, number>()
  return [...all.values()].map((refusal) => {
    const { codes, keyed, status } = refusal
    const meaning =
      codes.length === 1
        ? codes[0].split('_').map(capitalised).join('')
        : (STATUSES[status] ?? `Status${status}`)
    const name = meaning + (keyed ? '' : 'WithoutKey')
    const count = (taken.get(name) ?? 0) + 1
    taken.set(name, count)
    return { refusal, name: count === 1 ? name : `${name}${count}` }
  })
}

function failureResponse({ status, keyed, codes }: Refusal, failures: Failures) {
  return {
    description: codes.map((code) => `\`${code}\`: ${failures[code].title}`).join('; '),
    headers: headerRefs(failureHeaders({ keyed, status })),
    content: {
      'application/json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Failure' },
            // Validators that close objects by default would refuse the fields that Failure allows.
            {
              properties: { error: { properties: { code: { enum: codes } }, additionalProperties: true } },
              additionalProperties: true,
            },
          ],
        },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  }
}

function schemasOf(one: Documented, all: readonly Documented[]): [string, object][] {
  const { id, input, output } = one
  const name = capitalised(id)
  const body = isBatch(one) ? withTypedCalls(plain(input!), all) : input && plain(input)
  return [
    ...(body === null ? [] : [[`${name}Input`, published(body)] as [string, object]]),
    [`${name}Output`, published(plain(output))],
  ]
}

/** The schema of a batch in which the path of each call determines the schema of its body. */
function withTypedCalls(batch: JsonSchema, all: readonly Documented[]): JsonSchema {
  const { calls, ...properties } = batch.properties!
  const items = {
    oneOf: all.filter(isOperation).map(({ id, path, title }) => ({
      type: 'object',
      title,
      required: ['path', 'body'],
      properties: { path: { type: 'string', const: path }, body: schemaRef(`${id}Input`) },
      additionalProperties: false,
    })),
  }
  return { ...batch, properties: { ...properties, calls: { ...calls, items } } }
}

/** The operations of an area in one sentence. */
const tagText = (area: string, described: readonly Documented[]): string =>
  `${described
    .filter((one) => one.area === area)
    .map(({ title }) => title)
    .join('; ')}.`

const schemaRef = (id: string) => ({ $ref: `#/components/schemas/${capitalised(id)}` })

const headerRefs = (names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
