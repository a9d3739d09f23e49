/** A request as code that runs, in curl, Python and TypeScript: for the reference, and in browsers for the console. */

/** Stands for a key that the code reads from the environment. */
export const KEY_IN_ENVIRONMENT = '$QUANTD_API_KEY'

export interface CodedRequest {
  readonly origin: string
  readonly path: string
  /** The method of the TypeScript client; absent: the one that follows from the path. */
  readonly id?: string
  /** null: the endpoint needs no key. */
  readonly key: string | null
  /** undefined: the request has no body; null: the code reads it from a file. */
  readonly body: object | null | undefined
}

export function curlCode({ body, key, origin, path }: CodedRequest, method = 'POST'): string {
  const quote = key === KEY_IN_ENVIRONMENT ? '"' : "'"
  return [
    `curl -sS ${method === 'POST' && body === undefined ? '-X POST ' : ''}${origin}${path}`,
    ...(key === null ? [] : [`-H ${quote}X-API-Key: ${key}${quote}`]),
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `-d ${body === null ? '@body.json' : quoted(body)}`]),
  ].join(' \\\n  ')
}

const quoted = (body: object): string => `'${JSON.stringify(body).replaceAll("'", "'\\''")}'`

/** A program with the Python client. @param use a statement that calls `client` */
export const pythonCode = ({ body, key, origin }: CodedRequest, use: string): string =>
  [
    ...(key === KEY_IN_ENVIRONMENT ? ['import os'] : []),
    ...(body === null ? ['import json'] : []),
    'import quantd\n',
    `client = quantd.Client(${JSON.stringify(origin)}, ${key === KEY_IN_ENVIRONMENT ? 'os.environ["QUANTD_API_KEY"]' : JSON.stringify(key)})`,
    use,
  ].join('\n')

/** The arguments of a method of the Python client. */
export const pythonArguments = (request: CodedRequest): string =>
  request.body === null
    ? `**json.load(open("body.json"))${request.path.endsWith('/columns') ? '["columns"]' : ''}`
    : Object.entries(fieldsOf(request))
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => `${name}=${pythonValue(value)}`)
        .join(', ')

/** A value of JSON as Python writes it. */
export function pythonValue(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (Array.isArray(value)) return `[${value.map(pythonValue).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `"${name}": ${pythonValue(inner)}`)
    .join(', ')}}`
}

/** @param print writes an object as TypeScript */
export function typescriptCode(request: CodedRequest, print: (value: object) => string): string {
  const { key, origin } = request
  const call = typescriptCall(request, print)
  const apiKey = key === KEY_IN_ENVIRONMENT ? `process.env.QUANTD_API_KEY` : `'${key}'`
  const option = key === null ? '' : `, apiKey: ${apiKey}`
  const reader = call.includes('readFile(') ? `\nimport { readFile } from 'node:fs/promises'` : ''
  return `import { createClient } from 'quantd-client'${reader}

const quantd = createClient({ baseUrl: '${origin}'${option} })
console.log(await quantd.${call})`
}

/** Batches and columns name a computation by its method. */
function typescriptCall(request: CodedRequest, print: (value: object) => string): string {
  const { body, path } = request
  if (path.endsWith('/batch')) {
    const calls = callsOf(body)
    return `batch(${calls === null ? fromFile(CALLS_FILE) : print(calls.map(namedCall))})`
  }
  const fields = fieldsOf(request)
  const given = body === null ? fromFile('body.json') : Object.keys(fields).length === 0 ? '' : print(fields)
  if (!path.endsWith('/columns')) return `${request.id ?? operationId(path)}(${given})`
  const columns = body === null ? '.columns' : ''
  return `columns('${operationId(path.replace(/\/columns$/, ''))}', ${given}${columns})`
}

interface BatchedCall {
  readonly path: string
  readonly body: unknown
}

/** The calls of a batch; null where they are in a file, or one has no path. */
function callsOf(body: object | null | undefined): readonly BatchedCall[] | null {
  const { calls } = (body ?? {}) as { calls?: unknown }
  return Array.isArray(calls) && calls.every((call) => typeof call?.path === 'string') ? calls : null
}

/** The file from which a batch of the TypeScript client reads its calls, and its content. */
export const CALLS_FILE = 'calls.json'
export const namedCalls = (body: object) => callsOf(body)?.map(namedCall) ?? []

const namedCall = ({ path, body }: BatchedCall) => ({ method: operationId(path), input: body })

const fromFile = (name: string): string => `JSON.parse(await readFile('${name}', 'utf8'))`

/** The fields of a request; a request of columns has them below `columns`. */
const fieldsOf = ({ body, path }: CodedRequest): object =>
  (path.endsWith('/columns') ? (body as { columns?: object } | null)?.columns : body) ?? {}

/** `/quantlib/pricing/bs/price` → `pricingBsPrice`, `/user/verify-otp` → `userVerifyOtp`. */
export const operationId = (path: string): string =>
  path
    .replace(/^\/(quantlib\/|\.well-known\/)?/, '')
    .replace(/\.json$/, '')
    .replace(/[/-]+(\w?)/g, (_, letter: string) => letter.toUpperCase())
