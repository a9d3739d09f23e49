/** The present request of a form as code in several languages, which runs as it stands. */

import type { Form } from '../../derive/forms.ts'
import {
  CALLS_FILE,
  type CodedRequest,
  curlCode,
  KEY_IN_ENVIRONMENT,
  namedCalls,
  pythonArguments,
  pythonCode,
  typescriptCode,
} from '../../derive/request-code.ts'

type SampleForm = Pick<Form, 'path' | 'python'>

interface Sample {
  readonly form: SampleForm
  /** null: the code reads it from the environment. */
  readonly key: string | null
  /** null: the code reads it from a file. */
  readonly body: object | null
  readonly origin: string
  readonly version: string
  /** The file with the table of the request, or null. */
  readonly table: string | null
}

interface Language {
  /** The line that installs the client. */
  readonly install?: (origin: string, version: string) => string
  readonly code: (request: CodedRequest, form: SampleForm) => string
}

const makers: Readonly<Record<string, Language>> = {
  curl: { code: (request) => curlCode(request) },
  Python: {
    install: (origin, version) => `# pip install ${origin}/clients/quantd-${version}-py3-none-any.whl`,
    code: (request, { python }) =>
      pythonCode(request, `print(client.${python}(${pythonArguments(request)}))`),
  },
  TypeScript: {
    install: (origin, version) =>
      `// npm install ${origin}/clients/quantd-client-${version}.tgz, then: node sample.mts`,
    code: (request) => typescriptCode(request, onOneLine),
  },
}

export const languages = Object.keys(makers)

export function sampleCode(language: string, sample: Sample): string {
  const { form, key, body, origin, version, table } = sample
  const { install, code } = makers[language]
  const request = { origin, path: form.path, key: key ?? KEY_IN_ENVIRONMENT, body }
  if (install === undefined) return code(request, form)
  const [sign] = install(origin, version).split(' ')
  const about = body === null && table !== null ? [`${sign} The request has the table of ${table}.`] : []
  return [install(origin, version), ...about, code(request, form)].join('\n')
}

/** The file that the code of a language reads, with the content that it has for a request. */
export const fileOf = (language: string, { path }: SampleForm) =>
  language === 'TypeScript' && path.endsWith('/batch')
    ? { name: CALLS_FILE, content: (body: object) => JSON.stringify(namedCalls(body)) }
    : { name: 'body.json', content: (body: object) => JSON.stringify(body) }

/** JSON in TypeScript notation: field names without quotes. */
const onOneLine = (value: unknown) => JSON.stringify(value).replace(/"([A-Za-z_]\w*)":/g, ' $1: ')
