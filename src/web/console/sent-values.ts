/** Makes the values of a request from the entries of a form. */
import type { FormField } from '../../derive/forms.ts'
import { numberFrom } from './numbers.ts'
import type { Values } from './operation.ts'

type EnteredField = Pick<FormField, 'name' | 'kind'> & Partial<Pick<FormField, 'choices' | 'type'>>

/** The values to send: an empty field is omitted. */
export function sentValues(fields: readonly EnteredField[], texts: Readonly<Record<string, string>>): Values {
  return Object.fromEntries(
    fields
      .filter(({ name }) => texts[name].trim() !== '')
      .map(({ name, kind, choices, type }) => {
        const text = texts[name]
        if (kind === 'number') return [name, numberFrom(text, type === 'integer')]
        if (kind === 'choice') return [name, choices?.find((choice) => String(choice) === text) ?? text]
        if (kind === 'vector') return [name, listFrom(text)]
        return [name, kind === 'text' ? text : jsonFrom(text)]
      }),
  )
}

export const withDefaults = (fields: readonly FormField[], sent: Values): Values =>
  Object.fromEntries(fields.map(({ name, default: fallback }) => [name, sent[name] ?? fallback ?? undefined]))

/**
 * The numbers of a list that commas, semicolons, spaces or line ends separate; brackets around it are allowed. Beside another
 * separator a comma may be a decimal separator, as in `0,5; 1`: its item is left to the service to refuse.
 */
function listFrom(text: string): (number | string)[] {
  const list = text.trim().replace(/^\[\s*|\s*\]$/g, '')
  if (list === '') return []
  const isByCommas = !/;|[^,;\s]\s+[^,;\s]/.test(list)
  return list.split(isByCommas ? /\s*,\s*/ : /\s*;\s*|,?\s+/).map((item) => numberFrom(item))
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
