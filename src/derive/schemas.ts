/** JSON Schemas of the documents: of declarations as tools read them and in short words, and that of every failure. */
import type { TSchema } from 'typebox'
import { SENTENCES } from '../base/errors/used-up.ts'
import type { FailureNumbers } from '../base/failure.ts'
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

/**
 * A schema as tools read it. The description states a default, because code generators make a field with the keyword
 * `default` a required one. Objects of any fields say so. Patterns with Unicode classes are left out, because most
 * validators compile patterns without the flag that these need; the service still checks them.
 */
export function published(schema: JsonSchema): JsonSchema {
  const isPortable = typeof schema.pattern === 'string' && !schema.pattern.includes('\\p{')
  const { default: value, pattern, ...rest } = schema
  const fallback = value === undefined ? [] : [`default ${JSON.stringify(value)}`]
  const isOpen = schema.type === 'object' && Object.keys(schema.properties ?? {}).length === 0
  return {
    ...rest,
    ...(fallback.length > 0 && { description: [schema.description ?? [], fallback].flat().join('; ') }),
    ...(isPortable && { pattern: pattern! }),
    ...(isOpen && schema.additionalProperties === undefined && { additionalProperties: true }),
    ...(schema.items && { items: published(schema.items) }),
    ...(schema.anyOf && { anyOf: schema.anyOf.map(published) }),
    ...(schema.oneOf && { oneOf: schema.oneOf.map(published) }),
    ...(schema.properties && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, inner]) => [name, published(inner)]),
      ),
    }),
  }
}

const integer = (description: string) => ({ type: 'integer', description })

/** The fields of FailureNumbers (base/failure.ts). */
const numbers: Readonly<Record<keyof FailureNumbers, object>> = {
  needed: integer('credits that the request costs'),
  at_least: { const: true, description: 'only a part of the cost is known' },
  balance: integer('credits of the account'),
  in_progress: integer('credits of the balance that may be charged for requests in progress'),
  cap_left: integer('credits that the cap of the team key has left'),
  cap_resets_at: { type: 'string', format: 'date-time', description: 'when the cap renews; absent: never' },
  seconds: integer('estimated processor time of a request that has too much work'),
  limit_seconds: integer('the most processor time that a request may take'),
  counted: { enum: Object.keys(SENTENCES), description: 'what there was too much of' },
  limit: integer('the most that a window may count'),
  window: { enum: ['minute', 'hour', 'day'] },
  scope: {
    enum: ['key', 'team_keys'],
    description: 'the window counts the requests of this team key, or of all of them; absent: of the account',
  },
}

export const failureSchema = (codes: readonly string[]) => ({
  type: 'object',
  required: ['success', 'message', 'error'],
  properties: {
    success: { const: false },
    message: { type: 'string', description: 'the problem and the remedy, in one sentence' },
    error: {
      type: 'object',
      required: ['code', 'request_id'],
      properties: {
        code: { enum: codes, description: 'for programs; listed in order of precedence' },
        request_id: { type: 'string', description: 'the value of the X-Request-Id header' },
        details: {
          type: 'array',
          description: 'the faulty fields, if the failure concerns fields',
          items: {
            type: 'object',
            required: ['path', 'message'],
            properties: {
              path: { type: 'string', description: 'JSON pointer into the request body' },
              message: { type: 'string', description: 'the rule that the field violates' },
            },
          },
        },
        ...numbers,
      },
    },
  },
})
