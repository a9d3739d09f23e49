/** The columns endpoint of an operation: the same computation for many rows in one request, derived from its declaration. */
import type { TObject, TSchema } from 'typebox'
import { MAX_NUMBERS, MAX_ROW_ERRORS, MAX_WORK_MICROS } from '../../base/limits/callers.ts'
import { Type } from '../../base/type.ts'
import type { Operation } from './operation.ts'
import { exactly, type JsonSchema } from './schema.ts'

/** The schema of a number or of a word. */
export interface Scalar extends JsonSchema {
  readonly enum?: readonly string[]
  readonly default?: number | string
}

/** Fields by name. */
export const scalarsOf = (schema: TObject): Readonly<Record<string, Scalar>> =>
  schema.properties as Record<string, Scalar>

/** Whether every field of the operation's input and output is a number or one of a few words. */
export const hasColumns = ({ input, output }: Operation): boolean =>
  [...Object.values(scalarsOf(input)), ...Object.values(scalarsOf(output))].every(isScalar)

const isScalar = ({ enum: words, type }: Scalar): boolean =>
  type === 'number' || type === 'integer' || (words?.every((word) => typeof word === 'string') ?? false)

/** The most rows of a request: rows × fields of the request, and of its reply, must be within the limit on numbers. */
export const maxRows = ({ input, output }: Operation): number =>
  Math.floor(
    MAX_NUMBERS / Math.max(Object.keys(input.properties).length, Object.keys(output.properties).length),
  )

export const columnsPath = (operation: Operation): `/quantlib/${string}` => `${operation.path}/columns`

/** The declaration of the endpoint, as documents use it. */
export function columnsDeclaration(operation: Operation) {
  const rows = maxRows(operation)
  const inputs = Object.entries(operation.input.properties as Record<string, TSchema>)
  const outputs = Object.entries(operation.output.properties as Record<string, TSchema>)
  return {
    path: columnsPath(operation),
    title: `${operation.title} of columns`,
    summary: `The same computation for up to ${rows.toLocaleString('en')} rows in one request, as far as these are estimated to take at most ${MAX_WORK_MICROS / 1e6} s of a processor, each with the same result as a call of its own. Each field is a scalar, which holds for all rows, or an array with one item per row; all arrays have the same length. The request counts as one in the rate limits and is charged for the rows that succeed; it is refused with 402 unless the balance covers all rows.`,
    input: exactly({
      columns: Type.Object(
        Object.fromEntries(inputs.map(([name, schema]) => [name, scalarOrArray(schema, rows)])),
        {
          additionalProperties: false,
          description: 'the fields of the operation, each a scalar or an array',
        },
      ),
    }),
    output: exactly({
      columns: Type.Object(Object.fromEntries(outputs.map(([name, schema]) => [name, resultArray(schema)])), {
        additionalProperties: false,
        description: 'the results, one item per row; null in a row that failed or lacks the field',
      }),
      rows: Type.Integer({ description: 'rows of the request', minimum: 1 }),
      succeeded: Type.Integer({ description: 'rows that were computed and charged', minimum: 1 }),
      failed: Type.Integer({ description: 'rows that failed, which cost nothing', minimum: 0 }),
      errors: Type.Array(rowError, {
        description: `the failed rows, ascending; the first ${MAX_ROW_ERRORS} of them`,
        maxItems: MAX_ROW_ERRORS,
      }),
    }),
    example: exampleOf(operation),
  }
}

/** `default` makes the field optional, as in the operation itself. */
function scalarOrArray(schema: TSchema, rows: number): TSchema {
  const { default: value, description, ...item } = schema as TSchema & Scalar
  const items = Type.Union([item as TSchema, Type.Null()])
  const union = Type.Union([item as TSchema, Type.Array(items, { minItems: 1, maxItems: rows })], {
    description: description ?? '',
    ...(value !== undefined && { default: value }),
  })
  return value === undefined ? union : Type.Optional(union)
}

function resultArray(schema: TSchema): TSchema {
  const { description, ...item } = schema as TSchema & Scalar
  return Type.Array(Type.Union([item as TSchema, Type.Null()]), { description: description ?? '' })
}

const rowError = exactly({
  row: Type.Integer({ description: 'zero-based row number', minimum: 0 }),
  message: Type.String({ description: 'the fault, and the way to correct it' }),
  details: Type.Array(
    exactly({
      path: Type.String({ description: 'JSON pointer to the field of the row' }),
      message: Type.String({ description: 'the rule that the field violates' }),
    }),
    { description: 'the faulty fields, as in the failure of a single call' },
  ),
})

/** The operation's example, and a second row with twice its first number. */
function exampleOf(operation: Operation) {
  const { example, input } = operation
  const given = example.input as Record<string, unknown>
  const varied = Object.keys(given).find((name) => typeof given[name] === 'number')!
  const values = [given[varied] as number, 2 * (given[varied] as number)]
  const defaults = Object.entries(scalarsOf(input)).map(([name, field]) => [name, field.default])
  const results = values.map(
    (value) =>
      operation.compute({ ...Object.fromEntries(defaults), ...given, [varied]: value }) as Record<
        string,
        unknown
      >,
  )
  const names = Object.keys(operation.output.properties)
  return {
    input: { columns: { ...given, [varied]: values } },
    output: {
      columns: Object.fromEntries(names.map((name) => [name, results.map((result) => result[name])])),
      rows: 2,
      succeeded: 2,
      failed: 0,
      errors: [],
    },
  }
}
