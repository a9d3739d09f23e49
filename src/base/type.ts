/**
 * Makes JSON Schemas with the TypeScript types of their values. The types are TypeBox's. Its own functions make the same schemas,
 * but loading them takes a quarter of the start of a service, a thread or a command (bench/NOTES.md).
 */
import type TypeBox from 'typebox'

type Constructors =
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'Record'
  | 'String'
  | 'Union'
  | 'Unknown'

/** The options of a schema are further keywords, for example its description. */
type Options = Readonly<Record<string, unknown>>
type Schema = Record<string, unknown>

/** A property that is not enumerable, so that it is not a keyword of the schema. */
const OPTIONAL = '~optional'
const ofType = (type: string) => (options?: Options) => ({ type, ...options })

export const Type = {
  Array: (items: Schema, options?: Options) => ({ type: 'array', items, ...options }),
  Boolean: ofType('boolean'),
  Enum: (values: readonly unknown[], options?: Options) => ({ enum: values, ...options }),
  Integer: ofType('integer'),
  Literal: (value: unknown, options?: Options) => ({ type: typeof value, const: value, ...options }),
  Null: ofType('null'),
  Number: ofType('number'),
  Object(properties: Readonly<Record<string, Schema>>, options?: Options) {
    const required = Object.keys(properties).filter((name) => !Object.hasOwn(properties[name], OPTIONAL))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },
  Optional: (schema: Schema) => Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  /** Names of fields are strings. */
  Record: (_: Schema, values: Schema, options?: Options) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  String: ofType('string'),
  Union: (anyOf: readonly Schema[], options?: Options) => ({ anyOf, ...options }),
  Unknown: (options?: Options) => ({ ...options }),
} as unknown as Pick<typeof TypeBox, Constructors>
