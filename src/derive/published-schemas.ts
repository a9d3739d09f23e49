/** The schemas of the OpenAPI documents: those of declarations as tools read them, and that of every failure. */
import { SENTENCES } from '../base/errors/used-up.ts'
import type { FailureNumbers } from '../base/failure.ts'
import type { JsonSchema } from './schema-words.ts'

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

const count = (description: string) => ({ type: 'integer', description })

/** The fields of FailureNumbers (base/failure.ts). */
const numbers: Readonly<Record<keyof FailureNumbers, object>> = {
  needed: count('credits that the request costs'),
  at_least: { const: true, description: 'only a part of the cost is known' },
  balance: count('credits of the account'),
  in_progress: count('credits of the balance that may be charged for requests in progress'),
  cap_left: count('credits that the cap of the team key has left'),
  cap_resets_at: { type: 'string', format: 'date-time', description: 'when the cap renews; absent: never' },
  counted: { enum: Object.keys(SENTENCES), description: 'what there was too much of' },
  limit: count('the most that a window may count'),
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
