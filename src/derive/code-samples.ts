/** The example of each endpoint as a program that runs: curl, Python, TypeScript. */

import type { Described } from './documented-endpoints.ts'
import { pythonMethod } from './forms.ts'
import {
  curlCode,
  KEY_IN_ENVIRONMENT,
  pythonArguments,
  pythonCode,
  pythonValue,
  typescriptCode,
} from './request-code.ts'

/** Stands for the address of the service; a script of the reference page replaces it with the address of the page. */
export const ORIGIN = 'http://127.0.0.1:8080'

export function samplesOf(one: Described) {
  const { computation, example, id, input, key, method, path, title } = one
  const query = neededQueries[path]
  const request = {
    origin: ORIGIN,
    path,
    id,
    key: key === 'none' ? null : KEY_IN_ENVIRONMENT,
    body: input === null ? undefined : (example.input ?? undefined),
  }
  const call = computation ? `${pythonMethod(path, title)}(${pythonArguments(request)})` : queries[path]
  const use =
    path === '/user/usage' ? `for item in client.${call}:\n    print(item)` : `print(client.${call})`
  return {
    curl: curlCode(
      { ...request, path: query === undefined ? path : `${path}?${new URLSearchParams(query)}` },
      method,
    ),
    python: call === undefined ? pythonRequest(one) : pythonCode(request, use),
    typescript: typescriptCode({ ...request, body: example.input ?? query }, objectText),
  }
}

/** Query parameters that an endpoint requires. */
const neededQueries: Readonly<Record<string, Record<string, string>>> = {
  '/user/receipt': { request_id: '019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e' },
}

/** Methods of the Python client for endpoints other than computations. */
const queries: Readonly<Record<string, string>> = {
  '/user/profile': 'profile()',
  '/user/credits': 'credits()',
  '/user/receipt': 'receipt("019b7a3c-8f10-7c55-9d6e-0f2b3a4c5d6e")',
  '/user/usage': 'usage()',
  '/user/usage/summary': 'usage_summary()',
}

/** A request by the standard library, for an endpoint without a method of the Python client. */
function pythonRequest({ method, path, key, input, example }: Described): string {
  const headers = [
    ...(key === 'none' ? [] : ['"X-API-Key": os.environ["QUANTD_API_KEY"]']),
    ...(input === null ? [] : ['"Content-Type": "application/json"']),
  ]
  const parts = [
    `"${ORIGIN}${path}"`,
    ...(input === null ? [] : [`data=json.dumps(${pythonValue(example.input)}).encode()`]),
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

/** JSON in TypeScript notation: field names without quotes. */
const objectText = (value: object): string => indented(value).replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')

/** JSON, with innermost lists of plain values on one line. */
export const indented = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /\[\s+([^[\]{}]*?)\s+\]/g,
    (_, inner: string) => `[${inner.replace(/\s*\n\s*/g, ' ')}]`,
  )
