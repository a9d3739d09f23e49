/**
 * Arrow streams as bodies and results: of an operation on arrays, where a matrix is the whole table and a vector is the column of its
 * name, and the names and scalars of any stream.
 */

import type { TObject } from 'typebox'
import { invalidInput } from '../base/errors/requests.ts'
import { type Detail, Failure } from '../base/failure.ts'
import { MAX_COLUMNS, MAX_DETAILS, MAX_NUMBERS } from '../base/limits/callers.ts'
import { eachMissing, labelsOf, numbersOf } from '../wire/arrow/column-values.ts'
import { columnFault } from '../wire/arrow/format.ts'
import { readStream, type Stream } from '../wire/arrow/read-stream.ts'
import { type WrittenColumn, writeStream } from '../wire/arrow/write-stream.ts'
import { nameFaults } from './body/faults.ts'
import { isObject, parse } from './body/parse.ts'
import type { ArrowRows, Operation } from './catalogue/operation.ts'

type Property = { readonly type?: string; readonly items?: Property }

const isMatrix = ({ items, type }: Property): boolean => type === 'array' && items?.type === 'array'

interface ArrowInput {
  /** The body as JSON.parse would give it. */
  readonly body: Readonly<Record<string, unknown>>
  /** A failure of that body, whose details name columns and rows of the stream. */
  placed(failure: Failure): Failure
}

/** Throws ArrowFault or Failure `invalid_input`. */
export function arrowInput({ input }: Operation, bytes: Uint8Array): ArrowInput {
  const body = readArrowBody(bytes, (columns) => Math.floor(MAX_NUMBERS / Math.max(1, columns)))
  const { names, scalars, stream } = body
  refuseNulls(stream)
  const properties = input.properties as Record<string, Property>
  const matrix = Object.keys(properties).find((name) => isMatrix(properties[name]))
  const placed = inStream(names, matrix)
  // Names are checked before any column is decoded.
  const faults = namesAtFault(matrix === undefined ? body : { ...body, names: [matrix] }, input)
  if (faults.length > 0) throw placed(invalidInput(faults))
  if (matrix !== undefined) return { body: { ...scalars, [matrix]: rowsOf(stream) }, placed }
  const vectors = names.map((name, index) => [
    name,
    properties[name]?.type === 'array' ? labelsOf(stream, index) : null,
  ])
  return { body: { ...scalars, ...Object.fromEntries(vectors) }, placed }
}

interface ArrowTable {
  readonly stream: Stream
  /** The fields in the metadata. */
  readonly scalars: Readonly<Record<string, unknown>>
  placed(failure: Failure): Failure
}

/** A table whose columns the operation reads itself. Throws ArrowFault or Failure `invalid_input`. */
export function arrowTable({ input }: Operation, rows: ArrowRows, bytes: Uint8Array): ArrowTable {
  const body = readArrowBody(bytes, () => rows.most)
  const { names, scalars, stream } = body
  refuseNulls(stream)
  const faults = namesAtFault(body, input)
  if (faults.length > 0) throw invalidInput(faults)
  const isColumn = (name: string) => rows.columns.includes(name as never)
  const misplaced = [
    ...names
      .filter((name) => !isColumn(name))
      .map((name) => [`/columns/${name}`, 'is no column: put it into the metadata']),
    ...Object.keys(scalars)
      .filter(isColumn)
      .map((name) => [`/metadata/quantd/${name}`, 'must be a column of the stream']),
    ...(stream.rows === 0 ? [['/columns', 'must not be empty']] : []),
  ]
  if (misplaced.length > 0) throw invalidInput(misplaced.map(([path, message]) => ({ path, message })))
  return { stream, scalars, placed: inStream(names) }
}

/** Makes a failure of a body one of the stream, whose details name columns and rows. @param matrix the field that is the table */
const inStream =
  (names: readonly string[], matrix?: string) =>
  (failure: Failure): Failure => {
    const place = ({ message, path }: Detail): Detail => {
      const [, name = '', row, column] = path.split('/')
      if (name === matrix && column !== undefined)
        return { path: `/columns/${names[Number(column)]}/${row}`, message }
      return names.includes(name) && matrix === undefined
        ? { path: `/columns${path}`, message }
        : { path, message }
    }
    if (failure.code !== 'invalid_input' || failure.details.length === 0) return failure
    const details = failure.details.map(place)
    const isElsewhere = details.some(({ path }, index) => path !== failure.details[index]?.path)
    return isElsewhere ? invalidInput(details) : failure
  }

/** A null cannot be skipped: a vector or a matrix without its row would be another one. */
function refuseNulls(stream: Stream): void {
  for (const [index, { name }] of stream.fields.entries())
    eachMissing(stream, index, (row) => {
      throw columnFault(`${name}/${row}`, 'is null; give it a value or leave the row out')
    })
}

/** The matrix as JSON has it. Loops are ten times as fast as map. */
function rowsOf(stream: Stream): number[][] {
  const { fields, rows } = stream
  const columns = fields.map((_, index) => numbersOf(stream, index, new Float64Array(rows)))
  const matrix = new Array<number[]>(rows)
  const [only] = columns
  for (let row = 0; row < rows; row++) {
    if (only !== undefined && columns.length === 1) matrix[row] = [only[row]]
    else {
      const items = new Array<number>(columns.length)
      for (let column = 0; column < columns.length; column++) items[column] = columns[column][row]
      matrix[row] = items
    }
  }
  return matrix
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

interface ArrowBody {
  readonly stream: Stream
  /** The names of the columns. */
  readonly names: readonly string[]
  /** The fields in the metadata. */
  readonly scalars: Readonly<Record<string, unknown>>
}

/** Throws ArrowFault or Failure `invalid_input`. @param maxRows the rows allowed with so many columns */
export function readArrowBody(bytes: Uint8Array, maxRows: (columns: number) => number): ArrowBody {
  const stream = readStream(bytes, { columns: MAX_COLUMNS, rows: maxRows })
  return { stream, names: stream.fields.map(({ name }) => name), scalars: scalarsOf(stream) }
}

/** The scalars in the metadata of the schema. Throws Failure where it is not a JSON object. */
function scalarsOf({ metadata }: Stream): Readonly<Record<string, unknown>> {
  if (metadata === null) return {}
  const value = parsedMetadata(metadata)
  if (isObject(value)) return value
  throw notAnObject()
}

function parsedMetadata(text: string): unknown {
  try {
    return parse(Buffer.from(text))
  } catch (error) {
    if (error instanceof Failure) throw notAnObject()
    throw error
  }
}

const notAnObject = () =>
  invalidInput([{ path: '/metadata/quantd', message: 'must be a JSON object of scalars' }])

/** Checks the names of columns and scalars against the schema of an operation. */
export function namesAtFault({ names, scalars }: ArrowBody, schema: TObject): readonly Detail[] {
  const twice = names.find((name) => Object.hasOwn(scalars, name))
  if (twice !== undefined)
    return [{ path: `/${twice}`, message: 'is given twice: in the columns and in the metadata' }]
  const isKnown = (name: string) => Object.hasOwn(schema.properties, name)
  const unknown = names.filter((name) => !isKnown(name)).slice(0, MAX_DETAILS)
  const columns = [...names.filter(isKnown), ...unknown].map((name) => [name, null])
  return nameFaults(schema, { ...scalars, ...Object.fromEntries(columns) })
}
