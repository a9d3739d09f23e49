/** A request as code in several languages. */

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

const makers = {
  curl: ({ form, key, body, origin }) =>
    `curl -sS ${origin}${form.path} \\\n  -H ${key ? `'X-API-Key: ${key}'` : '"X-API-Key: $QUANTD_API_KEY"'} \\\n  -H 'Content-Type: application/json' \\\n  -d ${body ? quoted(JSON.stringify(body)) : '@body.json'}`,
  Python: pythonCode,
  TypeScript: typescriptCode,
}

export const languages = Object.keys(makers)

/** @param body null: it is in a file. @param key null: it is in the environment */
export const sampleCode = (language, { form, key, body, origin }) =>
  makers[language]({ form, key, body, origin })

function typescriptCode({ form, key, body, origin }) {
  const apiKey = key ? `'${key}'` : 'process.env.QUANTD_API_KEY'
  const call = typescriptCall(form.path, body)
  return [
    "import { createClient } from 'quantd-client'",
    ...(call.includes('readFile(') ? ["import { readFile } from 'node:fs/promises'"] : []),
    '',
    `const quantd = createClient({ baseUrl: '${origin}', apiKey: ${apiKey} })`,
    `console.log(await quantd.${call})`,
  ].join('\n')
}

/** Batches and columns name a computation by its method. */
function typescriptCall(path, body) {
  if (path.endsWith('/batch'))
    return `batch(${isComplete(body?.calls) ? objectText(body.calls.map(namedCall)) : fromFile('calls.json')})`
  const given = body === null ? fromFile('body.json') : objectText(body.columns ?? body)
  if (!path.endsWith('/columns')) return `${methodOf(path)}(${given})`
  return `columns('${methodOf(path)}', ${given}${body === null ? '.columns' : ''})`
}

const isComplete = (calls) => Array.isArray(calls) && calls.every((call) => typeof call?.path === 'string')

const namedCall = ({ path, body }) => ({ method: methodOf(path), input: body })

const fromFile = (name) => `JSON.parse(await readFile('${name}', 'utf8'))`

/** JSON in TypeScript notation: field names without quotes. */
const objectText = (value) => JSON.stringify(value).replace(/"([A-Za-z_]\w*)":/g, ' $1: ')

/** The client's method for a path of a computation. */
const methodOf = (path) =>
  path.replace(/^\/quantlib\/|\/columns$/g, '').replace(/[/-](\w)/g, (_, letter) => letter.toUpperCase())

const pythonKey = (key) => (key ? JSON.stringify(key) : 'os.environ["QUANTD_API_KEY"]')

/** By the client. */
function pythonCode({ form, key, body, origin }) {
  const given = body?.columns ?? body
  const values = given === null ? '**json.load(open("body.json"))' : pythonArguments(given)
  const imports = [!key && 'import os', given === null && 'import json', 'import quantd'].filter(
    (line) => line,
  )
  return `${imports.join('\n')}\n\nclient = quantd.Client(${JSON.stringify(origin)}, ${pythonKey(key)})\nprint(client.${form.python}(${values}))`
}

const pythonArguments = (body) =>
  Object.entries(body)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${pythonLiteral(value)}`)
    .join(', ')

const pythonLiteral = (value) =>
  JSON.stringify(value)
    .replace(/\btrue\b/g, 'True')
    .replace(/\bfalse\b/g, 'False')
    .replace(/\bnull\b/g, 'None')
