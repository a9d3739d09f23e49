/** The present request of a form as code in several languages. */

import type { Form } from '../../derive/forms.ts'
import {
  type CodedRequest,
  curlCode,
  KEY_IN_ENVIRONMENT,
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
}

const makers: Readonly<Record<string, (request: CodedRequest, form: SampleForm) => string>> = {
  curl: (request) => curlCode(request),
  Python: (request, { python }) =>
    pythonCode(request, `print(client.${python}(${pythonArguments(request)}))`),
  TypeScript: (request) => typescriptCode(request, onOneLine),
}

export const languages = Object.keys(makers)

export function sampleCode(language: string, { form, key, body, origin }: Sample): string {
  const request = { origin, path: form.path, key: key ?? KEY_IN_ENVIRONMENT, body }
  return makers[language](request, form)
}

/** JSON in TypeScript notation: field names without quotes. */
const onOneLine = (value: unknown) => JSON.stringify(value).replace(/"([A-Za-z_]\w*)":/g, ' $1: ')
