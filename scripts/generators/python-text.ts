/** Names and layout of generated Python code. */

import { capitalised, wordsOf } from '../../src/derive/documented-endpoints.ts'
import { pythonValue } from '../../src/derive/request-code.ts'
import { fieldInWords, type JsonSchema } from '../../src/derive/schemas.ts'

const LINE_WIDTH = 110

/** Ends the first line of a generated module. */
export const HEADING =
  'generated from the declarations of the service by `npm run generate`; do not edit."""\n'

/** `Black–Scholes Greeks` → `BlackScholesGreeks`, `rate_limited` → `RateLimited`. */
export const className = (title: string): string => wordsOf(title).map(capitalised).join('')

/** A tuple, with the comma that one item needs. */
export const tuple = (items: readonly string[]): string =>
  `(${items.join(', ')}${items.length === 1 ? ',' : ''})`

/** Text in lines of at most 110 characters; lines after the first are indented by `hanging` as well. */
export function wrapped(text: string, indent: string, hanging = ''): string {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line === '' ? indent + word : `${line} ${word}`
    if (longer.length > LINE_WIDTH && line !== '') {
      lines.push(line)
      line = indent + hanging + word
    } else line = longer
  }
  return [...lines, line].join('\n')
}

/** Description, choices, bounds and default of a field, as one sentence. */
export function sentenceOf(schema: JsonSchema): string {
  const choices = schema.enum?.map(pythonValue).join(' or ')
  const description = [schema.description, choices].filter((part) => part).join('; ')
  return `${fieldInWords({ ...schema, description }, pythonValue)}.`
}
