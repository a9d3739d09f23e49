/** Makes the values of a request from the entries of a form. */
import type { FormField } from '../../derive/forms.ts'
import { entered, isOfAmounts } from './entered.ts'
import { numberFrom } from './numbers.ts'
import type { Values } from './operation.ts'

type EnteredField = Pick<FormField, 'name' | 'kind'> & Partial<Pick<FormField, 'choices' | 'type'>>

/** The values to send: an empty field is omitted. */
export function sentValues(fields: readonly EnteredField[], texts: Readonly<Record<string, string>>): Values {
  const isAmount = isOfAmounts(texts)
  return Object.fromEntries(
    fields
      .filter(({ name }) => texts[name].trim() !== '')
      .map((field) => {
        const { name, kind, choices } = field
        const text = texts[name]
        if (kind === 'number') return [name, entered({ ...field, isAmount }, text).value]
        if (kind === 'choice') return [name, choices?.find((choice) => String(choice) === text) ?? text]
        if (kind === 'vector') return [name, listFrom(text)]
        if (kind === 'texts') return [name, textsFrom(text)]
        return [name, kind === 'text' ? text : jsonFrom(text)]
      }),
  )
}

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

/** The texts of a list that commas or line ends separate, or of an array of JSON. */
function textsFrom(text: string): unknown {
  const json = text.trim().startsWith('[') ? jsonFrom(text) : null
  return Array.isArray(json) ? json : text.split(/[,\n]/).map((item) => item.trim())
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
