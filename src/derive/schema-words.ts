/** The type and bounds of a JSON Schema, in short words. */
import type { TSchema } from 'typebox'
import type { JsonSchema } from '../compute/catalogue/schema.ts'

export type { JsonSchema }

/** The schema as plain JSON Schema, without the additions of the schema library. */
export const plain = (schema: TSchema): JsonSchema => JSON.parse(JSON.stringify(schema)) as JsonSchema

/** `number`, `array of array of number`, `call | put` … */
export function typeInWords(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((word) => JSON.stringify(word)).join(' | ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf) return schema.anyOf.map(typeInWords).join(' or ')
  if (schema.type === 'array') return `array of ${typeInWords(schema.items ?? {})}`
  if (schema.format === 'date-time') return 'timestamp'
  return schema.type ?? 'any value'
}

/** `> 0`, `0 … 0.5`, `1 … 100 characters`; empty if there are no bounds. */
export function boundsInWords(schema: JsonSchema): string {
  const range = between(schema)
  if (schema.type === 'string') return lengths(schema.minLength, schema.maxLength, 'characters')
  if (schema.type !== 'array') return range
  const rows = schema.items?.type === 'array' ? 'rows' : 'items'
  const inner = schema.items ? boundsInWords(schema.items) : ''
  const of = schema.items?.type === 'array' ? inner.replace('items', 'columns') : inner && `each ${inner}`
  return [lengths(schema.minItems, schema.maxItems, rows), of].filter((part) => part !== '').join(', ')
}

/** Description, bounds and default of a field. @param value writes the default */
export function fieldInWords(schema: JsonSchema, value: (given: unknown) => string): string {
  const bounds = schema.type === 'string' ? '' : boundsInWords(schema)
  const fallback = schema.default === undefined ? '' : `default ${value(schema.default)}`
  return [schema.description ?? '', bounds, fallback].filter((part) => part !== '').join('; ')
}

function between({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: JsonSchema): string {
  if (minimum !== undefined && maximum !== undefined) return `${count(minimum)} … ${count(maximum)}`
  return [
    minimum === undefined ? '' : `≥ ${count(minimum)}`,
    exclusiveMinimum === undefined ? '' : `> ${count(exclusiveMinimum)}`,
    maximum === undefined ? '' : `≤ ${count(maximum)}`,
    exclusiveMaximum === undefined ? '' : `< ${count(exclusiveMaximum)}`,
  ]
    .filter((part) => part !== '')
    .join(' and ')
}

function lengths(least: number | undefined, most: number | undefined, unit: string): string {
  if (least !== undefined && most !== undefined) return `${count(least)} … ${count(most)} ${unit}`
  if (least !== undefined) return `at least ${plural(least, unit)}`
  return most === undefined ? '' : `at most ${plural(most, unit)}`
}

const plural = (value: number, unit: string): string =>
  `${count(value)} ${value === 1 ? unit.slice(0, -1) : unit}`

/** Thousands separators in whole numbers; fractional numbers as JavaScript prints them. */
function count(value: number): string {
  if (value === Number.MAX_SAFE_INTEGER) return '2⁵³ − 1'
  if (value === Number.MIN_SAFE_INTEGER) return '−(2⁵³ − 1)'
  const isLong = Number.isInteger(value) && Math.abs(value) < 1e15
  return isLong ? String(value).replace(/\B(?=(\d{3})+$)/g, ',') : String(value)
}
