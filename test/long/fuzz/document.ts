/** Reads openapi.json as a client does: the endpoints, their input schemas, and checks of their replies. */
import { readFileSync } from 'node:fs'
import { Compile } from 'typebox/schema'

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
type Json = any

/** A JSON schema without references. */
export type Schema = Json

export interface Endpoint {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly needsKey: boolean
  /** Whether calls are counted and charged; such endpoints document an Idempotency-Key. */
  readonly isComputation: boolean
  readonly isBatch: boolean
  /** Whether its body may be an Arrow stream. */
  readonly takesArrow: boolean
  /** Whether a request holds many rows. */
  readonly isColumns: boolean
  /** null: the endpoint takes no body. */
  readonly input: Schema | null
  readonly example: object | null
  readonly query: readonly { readonly name: string; readonly schema: Schema }[]
  readonly statuses: readonly number[]
  /** Whether a body fits the input schema. */
  takes(body: unknown): boolean
  /** The difference between a reply's body and the schema of its status; null: it fits. */
  bodyFault(status: number, body: unknown): string | null
  /** The difference between a reply's headers and the schemas of its status; null: they fit. */
  headerFault(status: number, headers: ReadonlyMap<string, string>): string | null
}

export interface ApiDocument {
  readonly endpoints: readonly Endpoint[]
  /** The difference between a failure's body and the schema of failures; null: it fits. For paths without an endpoint. */
  failureFault(body: unknown): string | null
}

export const ARROW = 'application/vnd.apache.arrow.stream'

const FILE = new URL('../../../openapi.json', import.meta.url)

export function readDocument(): ApiDocument {
  const document: Json = JSON.parse(readFileSync(FILE, 'utf8'))
  const checkers = new Map<string, Checker>()
  const checker = (schema: Schema): Checker => {
    const text = JSON.stringify(schema)
    const cached = checkers.get(text)
    if (cached !== undefined) return cached
    const created = compiled(schema)
    checkers.set(text, created)
    return created
  }
  const endpoints = Object.entries<Json>(document.paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) =>
      endpoint(resolved(document, operation), method.toUpperCase() as Endpoint['method'], path, checker),
    ),
  )
  const failure = checker(resolved(document, document.components.schemas.Failure))
  return { endpoints, failureFault: failure.fault }
}

interface Checker {
  fits(value: unknown): boolean
  fault(value: unknown): string | null
}

function compiled(schema: Schema): Checker {
  const validator = Compile(schema)
  return {
    fits: (value) => validator.Check(value),
    fault(value) {
      if (validator.Check(value)) return null
      const [, errors] = validator.Errors(value)
      return errors
        .slice(0, 3)
        .map(({ instancePath, message }) => `${instancePath} ${message}`)
        .join('; ')
    },
  }
}

function endpoint(
  operation: Json,
  method: Endpoint['method'],
  path: string,
  checker: (schema: Schema) => Checker,
): Endpoint {
  const parameters: Json[] = operation.parameters ?? []
  const content = operation.requestBody?.content['application/json']
  const input = content === undefined ? null : checker(content.schema)
  const bodies = new Map<number, Checker>()
  const headers = new Map<number, [name: string, isInteger: boolean, schema: Checker][]>()
  for (const [status, response] of Object.entries<Json>(operation.responses)) {
    bodies.set(Number(status), checker(response.content['application/json'].schema))
    headers.set(
      Number(status),
      Object.entries<Json>(response.headers ?? {}).map(([name, { schema }]) => [
        name.toLowerCase(),
        schema.type === 'integer' || schema.type === 'number',
        checker(schema),
      ]),
    )
  }
  return {
    method,
    path,
    needsKey: operation.security.length > 0,
    isComputation: parameters.some(({ name }) => name === 'Idempotency-Key'),
    isBatch: path === '/quantlib/batch',
    takesArrow: operation.requestBody?.content[ARROW] !== undefined,
    isColumns: path.endsWith('/columns'),
    input: content?.schema ?? null,
    example: content?.example ?? null,
    query: parameters.filter((parameter) => parameter.in === 'query'),
    statuses: [...bodies.keys()],
    takes: (body) => input?.fits(body) ?? true,
    bodyFault: (status, body) => bodies.get(status)!.fault(body),
    headerFault(status, given) {
      for (const [name, isNumber, schema] of headers.get(status)!) {
        const value = given.get(name)
        if (value === undefined) continue
        const fault = schema.fault(isNumber ? Number(value) : value)
        if (fault !== null) return `${name}: ${value}: ${fault}`
      }
      return null
    },
  }
}

/** The value with every $ref replaced by its target; the document has no circular references. */
const resolved = (document: Json, value: Json): Json =>
  JSON.parse(
    JSON.stringify(value, (_, inner) =>
      typeof inner?.$ref === 'string' ? lookUp(document, inner.$ref) : inner,
    ),
  )

const lookUp = (document: Json, reference: string): Json =>
  reference
    .slice(2)
    .split('/')
    .reduce((inner, name) => inner[name], document)
