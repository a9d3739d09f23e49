/** Arrow for an operation of arrays: a matrix is the whole table, a vector the column of its name. */
import { labelsOf, numbersOf } from '../../arrow/numbers.ts'
import type { Stream } from '../../arrow/read-stream.ts'
import { type WrittenColumn, writeStream } from '../../arrow/write-stream.ts'
import { invalidInput } from '../../body/validate.ts'
import type { Operation } from '../../catalogue/operation.ts'
import { MAX_NUMBERS } from '../../catalogue/schema.ts'
import type { Detail, Failure } from '../../errors.ts'
import { readArrowBody } from './read-body.ts'

type Property = { readonly type?: string; readonly items?: Property }

const propertiesOf = ({ input }: Operation) => Object.entries(input.properties as Record<string, Property>)

const isMatrix = ({ items, type }: Property): boolean => type === 'array' && items?.type === 'array'

export interface ArrowInput {
  /** The body as JSON would state it. */
  readonly body: Readonly<Record<string, unknown>>
  /** A failure of that body, with its places named by column and row. */
  placed(failure: Failure): Failure
}

/** Throws ArrowFault or Failure `invalid_input`. */
export function arrowInput(operation: Operation, bytes: Uint8Array): ArrowInput {
  const { names, scalars, stream } = readArrowBody(bytes, (columns) =>
    Math.floor(MAX_NUMBERS / Math.max(1, columns)),
  )
  const matrix = propertiesOf(operation).find(([, property]) => isMatrix(property))?.[0]
  const arrays = matrix === undefined ? vectors(operation, stream) : { [matrix]: rowsOf(stream) }
  const place = ({ message, path }: Detail): Detail => {
    const [, name = '', row, column] = path.split('/')
    if (name === matrix && column !== undefined)
      return { path: `/columns/${names[Number(column)]}/${row}`, message }
    return names.includes(name) && matrix === undefined
      ? { path: `/columns${path}`, message }
      : { path, message }
  }
  return {
    body: { ...scalars, ...arrays },
    placed(failure) {
      if (failure.code !== 'invalid_input' || failure.details.length === 0) return failure
      const details = failure.details.map(place)
      return details.every(({ path }, index) => path === failure.details[index]!.path)
        ? failure
        : invalidInput(details)
    },
  }
}

/** Unknown columns are left to the validation, which refuses them by name. */
function vectors(operation: Operation, stream: Stream): Record<string, unknown> {
  const known = new Map(propertiesOf(operation))
  return Object.fromEntries(
    stream.fields.map(({ name }, index) => [
      name,
      known.get(name)?.type === 'array'
        ? Array.from(labelsOf(stream, index, new Float64Array(stream.rows)))
        : null,
    ]),
  )
}

function rowsOf(stream: Stream): number[][] {
  const columns = stream.fields.map((_, index) => numbersOf(stream, index, new Float64Array(stream.rows)))
  return Array.from({ length: stream.rows }, (_, row) => columns.map((values) => values[row]!))
}

/** A result as a stream: its arrays of one item per row are columns, its other fields metadata. */
export function arrowResult({ output }: Operation, result: Readonly<Record<string, unknown>>): Uint8Array[] {
  const types = output.properties as Record<string, Property>
  const rows = Object.values(result).find(Array.isArray)?.length ?? 0
  const columns: WrittenColumn[] = []
  const others: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(result)) {
    const type = COLUMN_TYPES[types[name]?.items?.type ?? '']
    if (type === undefined || !Array.isArray(value) || value.length !== rows) others[name] = value
    else columns.push({ name, type, values: type === 'bool' ? value.map(Number) : value })
  }
  return writeStream(columns, rows, [], others)
}

const COLUMN_TYPES: Readonly<Record<string, WrittenColumn['type']>> = {
  number: 'float64',
  integer: 'int32',
  boolean: 'bool',
}
