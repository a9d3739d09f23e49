/** The fields of an object's schema and of the objects in it, by their paths: `user.email`, `items[].at`. */
import type { JsonSchema } from './rules.ts'

interface InnerField {
  readonly path: string
  readonly schema: JsonSchema
  readonly isRequired: boolean
}

export const innerFields = ({ properties = {}, required = [] }: JsonSchema, prefix = ''): InnerField[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const path = prefix + name
    const inner =
      schema.type === 'object'
        ? innerFields(schema, `${path}.`)
        : schema.items?.type === 'object'
          ? innerFields(schema.items, `${path}[].`)
          : []
    return [{ path, schema, isRequired: required.includes(name) }, ...inner]
  })
