/** Reads the query of a request into a checked value; unknown parameters are refused. */

import type { TObject } from 'typebox'
import { parameterRefused, unknownParameters } from '../../base/errors/requests.ts'
import { MAX_NAME_CHARACTERS, MAX_UNKNOWN_PARAMETERS } from '../../base/limits/callers.ts'
import { type Validator, validator } from './validate.ts'

/** Throws Failure `invalid_input` that names the unknown parameters and the known ones. */
export function refuseUnknownParameters(query: URLSearchParams, known: readonly string[]): void {
  if (query.size === 0) return
  const unknown = [...new Set(query.keys())]
    .filter((name) => !known.includes(name))
    .map((name) => name.slice(0, MAX_NAME_CHARACTERS))
    .slice(0, MAX_UNKNOWN_PARAMETERS)
  if (unknown.length === 0) return
  throw unknownParameters(unknown, known)
}

/**
 * Parameters arrive as text; those that the schema declares as numbers are converted before they are checked.
 * @param schema null: the endpoint takes none, and its query reads as null
 */
export function queryReader(schema: TObject | null): (query: URLSearchParams) => unknown {
  if (schema === null)
    return (query) => {
      refuseUnknownParameters(query, [])
      return null
    }
  const checked: Validator<object> = validator(schema)
  const properties = schema.properties as Record<string, { type?: string }>
  const known = Object.keys(properties)
  return (query) => {
    refuseUnknownParameters(query, known)
    const value: Record<string, unknown> = {}
    for (const [name, text] of query) {
      // No database column can hold this character.
      if (text.includes('\0')) throw parameterRefused(name, 'must not contain the character U+0000')
      const { type } = properties[name]
      const isNumber = (type === 'integer' || type === 'number') && text.trim() !== ''
      value[name] = isNumber && !Number.isNaN(Number(text)) ? Number(text) : text
    }
    return checked.validate(value)
  }
}
