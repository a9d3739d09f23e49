/** The example of each endpoint as a program that runs: curl, Python, TypeScript. */
import { type Described, operationId } from './described.ts'
import { pythonMethod } from './forms.ts'
import { literal as pythonLiteral } from './python-text.ts'

/** Stands for the address of the service; the reference page puts its own in its place. */
export const ORIGIN = 'http://127.0.0.1:8080'

export interface Samples {
  readonly curl: string
  readonly python: string
  readonly typescript: string
}

export const samplesOf = (one: Described): Samples => ({
  curl: curl(one),
  python: python(one),
  typescript: typescript(one),
})

function curl({ method, path, key, input, example }: Described): string {
  return [
    `curl -sS ${method === 'POST' && input === null ? '-X POST ' : ''}${ORIGIN}${path}`,
    ...(key === 'none' ? [] : ['-H "X-API-Key: $QUANTD_API_KEY"']),
    ...(input === null
      ? []
      : [
          "-H 'Content-Type: application/json'",
          `-d '${JSON.stringify(example.input).replaceAll("'", "'\\''")}'`,
        ]),
  ].join(' \\\n  ')
}

/** Methods of the Python client for endpoints other than computations. */
const queries: Readonly<Record<string, string>> = {
  '/user/profile': 'profile()',
  '/user/credits': 'credits()',
  '/user/usage': 'usage()',
  '/user/usage/summary': 'usage_summary()',
}

function python(one: Described): string {
  const { path, title, computation, example } = one
  const call = computation ? `${pythonMethod(path, title)}(${keywords(example.input)})` : queries[path]
  if (call === undefined) return pythonRequest(one)
  const shown =
    path === '/user/usage' ? `for item in client.${call}:\n    print(item)` : `print(client.${call})`
  return `import os\nimport quantd\n\nclient = quantd.Client("${ORIGIN}", os.environ["QUANTD_API_KEY"])\n${shown}`
}

function keywords(input: object | null): string {
  const given = (input ?? {}) as Record<string, unknown>
  const fields = (given.columns ?? given) as Record<string, unknown>
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${pythonText(value)}`)
    .join(', ')
}

/** By the standard library, for what the client has no method for. */
function pythonRequest({ method, path, key, input, example }: Described): string {
  const headers = [
    ...(key === 'none' ? [] : ['"X-API-Key": os.environ["QUANTD_API_KEY"]']),
    ...(input === null ? [] : ['"Content-Type": "application/json"']),
  ]
  const parts = [
    `"${ORIGIN}${path}"`,
    ...(input === null ? [] : [`data=json.dumps(${pythonText(example.input)}).encode()`]),
    ...(headers.length === 0 ? [] : [`headers={${headers.join(', ')}}`]),
    `method="${method}"`,
  ]
  const imports = [input === null ? '' : 'json', key === 'none' ? '' : 'os', 'urllib.request']
  return [
    `import ${imports.filter((name) => name !== '').join(', ')}\n`,
    `request = urllib.request.Request(\n${parts.map((part) => `    ${part},\n`).join('')})`,
    'print(urllib.request.urlopen(request).read().decode())',
  ].join('\n')
}

const pythonText = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`
  if (typeof value !== 'object' || value === null) return pythonLiteral(value)
  return `{${Object.entries(value)
    .map(([name, inner]) => `"${name}": ${pythonText(inner)}`)
    .join(', ')}}`
}

function typescript(one: Described): string {
  const apiKey = one.key === 'none' ? '' : `, apiKey: process.env.QUANTD_API_KEY`
  return `import { createClient } from 'quantd-client'

const quantd = createClient({ baseUrl: '${ORIGIN}'${apiKey} })
console.log(await quantd.${typescriptCall(one)})`
}

/** Batches and columns name the computation by its method. */
function typescriptCall({ id, path, example }: Described): string {
  const input = (example.input ?? {}) as Record<string, unknown>
  if (path.endsWith('/columns'))
    return `columns('${operationId(path.replace(/\/columns$/, ''))}', ${objectText(input.columns as object)})`
  if (path.endsWith('/batch')) {
    const calls = input.calls as readonly { body: object; path: string }[]
    return `batch(${objectText(calls.map(({ body, path }) => ({ method: operationId(path), input: body })))})`
  }
  return `${id}(${Object.keys(input).length === 0 ? '' : objectText(input)})`
}

/** JSON in TypeScript notation: field names without quotes. */
const objectText = (value: object): string => indented(value).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')

/** JSON, with innermost lists of plain values on one line. */
export const indented = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`,
  )
