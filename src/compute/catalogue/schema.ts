/** The building blocks of the operations' schemas: plain JSON Schema, bounds and descriptions included. */
import type { TNumberOptions, TSchema } from 'typebox'
import { MAX_COLUMNS, MAX_NUMBERS } from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'

/** A finite number. */
export const number = (description: string, bounds: TNumberOptions = {}) =>
  Type.Number({ description, ...bounds })

/** A finite number greater than zero. */
export const positive = (description: string) => number(description, { exclusiveMinimum: 0 })

/** A finite number not below zero. */
export const nonNegative = (description: string) => number(description, { minimum: 0 })

/** An integer within bounds, both included. */
export const integer = (description: string, minimum: number, maximum: number) =>
  Type.Integer({ description, minimum, maximum })

/** A text of any content but the empty one. */
export const text = (description: string) => Type.String({ description, minLength: 1 })

/** Texts, none of them empty. */
export const texts = (description: string, least: number, most = MAX_NUMBERS) =>
  Type.Array(Type.String({ minLength: 1 }), { description, minItems: least, maxItems: most })

/** true or false. */
export const yesOrNo = (description: string) => Type.Boolean({ description })

/** One of a few words. */
export const oneOf = <const Words extends readonly string[]>(words: Words, description: string) =>
  Type.Enum<Words[number][]>([...words], { description })

/** A vector of at least one number. */
export const vector = (description: string, items: TSchema = Type.Number()) =>
  Type.Array(items as ReturnType<typeof Type.Number>, { description, minItems: 1, maxItems: MAX_NUMBERS })

/** A vector that may be empty, for a field whose default is an empty one. */
export const vectorOrNone = (description: string, items: TSchema = Type.Number(), most = MAX_NUMBERS) =>
  Type.Array(items as ReturnType<typeof Type.Number>, { description, maxItems: most })

/** Weights of rows, none by default. Within these bounds the sums of a request are exact (numerics/statistics/weight-sums.ts). */
export const rowWeights = (description: string) =>
  withDefault(vectorOrNone(description, number('', { minimum: 1e-9, maximum: 1e9 })), [])

/** A matrix of at least one row and one column, as rows of equal length. */
export const matrix = (
  description: string,
  item: TNumberOptions = {},
  maxRows = MAX_NUMBERS,
  maxColumns = MAX_COLUMNS,
) =>
  Type.Array(Type.Array(Type.Number(item), { minItems: 1, maxItems: maxColumns }), {
    description,
    minItems: 1,
    maxItems: maxRows,
  })

/** A list of objects with these fields, of which some may have defaults: the rows of a table. */
export const recordsOf = <Properties extends Record<string, TSchema>>(
  properties: Properties,
  description: string,
  least: number,
  most: number,
) => Type.Array(exactly(properties), { description, minItems: least, maxItems: most })

/** A list of any number of items of one kind, for results. */
export const listOf = <Item extends TSchema>(item: Item, description: string) =>
  Type.Array(item, { description })

/** An optional property with the value it takes when absent. */
export const withDefault = <Schema extends TSchema>(schema: Schema, value: unknown) =>
  Type.Optional({ ...schema, default: value } as Schema & { readonly default: unknown })

/** An object with exactly these properties: a request or a result. */
export const exactly = <Properties extends Record<string, TSchema>>(properties: Properties) =>
  Type.Object(properties, { additionalProperties: false })

/** The JSON Schema keywords that the declarations use. */
export interface JsonSchema {
  readonly type?: string
  /** The label of a field in forms; absent: that made of its name. */
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  /** A line about each value of `enum`, for forms and the help of commands. */
  readonly 'x-enumDescriptions'?: Readonly<Record<string, string>>
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: JsonSchema
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly additionalProperties?: boolean
  /** Of an object whose names are not known: one schema for all of its values. */
  readonly patternProperties?: Readonly<Record<string, JsonSchema>>
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly $ref?: string
}
