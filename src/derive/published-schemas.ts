/** The schemas of the OpenAPI documents: those of declarations as tools read them, and that of every failure. */
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
      },
    },
  },
})
