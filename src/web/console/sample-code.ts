/** The present request of a form as code in several languages. */
// @ts-nocheck: to be converted
import {
  curlCode,
  KEY_IN_ENVIRONMENT,
  pythonArguments,
  pythonCode,
  typescriptCode,
} from '../../derive/code/request-code.ts'

const makers = {
  curl: (request) => curlCode(request),
  Python: (request, { python }) =>
    pythonCode(request, `print(client.${python}(${pythonArguments(request)}))`),
  TypeScript: (request) => typescriptCode(request, onOneLine),
}

export const languages = Object.keys(makers)

/** @param body null: the code reads it from a file. @param key null: the code reads it from the environment */
export function sampleCode(language, { form, key, body, origin }) {
  const request = { origin, path: form.path, key: key ?? KEY_IN_ENVIRONMENT, body }
  return makers[language](request, form)
}

/** JSON in TypeScript notation: field names without quotes. */
const onOneLine = (value) => JSON.stringify(value).replace(/"([A-Za-z_]\w*)":/g, ' $1: ')
