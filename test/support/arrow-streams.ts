/** Arrow streams for tests, written by the reference implementation. */
import {
  Bool,
  Dictionary,
  Float64,
  Int8,
  RecordBatch,
  Schema,
  Table,
  tableFromIPC,
  tableToIPC,
  Utf8,
  type Vector,
  vectorFromArray,
} from 'apache-arrow'

export const ARROW = 'application/vnd.apache.arrow.stream'

/** A vector of values: numbers as float64, strings as a dictionary, booleans as bool. */
export const vectorOf = (values: readonly unknown[]): Vector =>
  typeof values[0] === 'string'
    ? vectorFromArray(values, new Dictionary(new Utf8(), new Int8()))
    : vectorFromArray(values, typeof values[0] === 'boolean' ? new Bool() : new Float64())

/** @param metadata of the schema, under the key `quantd` */
export function streamOf(columns: Readonly<Record<string, Vector>>, metadata?: object | string): Uint8Array {
  const table = new Table(columns)
  if (metadata === undefined) return tableToIPC(table, 'stream')
  const text = typeof metadata === 'string' ? metadata : JSON.stringify(metadata)
  const schema = new Schema(table.schema.fields, new Map([['quantd', text]]))
  const batches = table.batches.map(({ data }) => new RecordBatch(schema, data))
  return tableToIPC(new Table(schema, batches), 'stream')
}

export interface ReadStream {
  readonly columns: Readonly<Record<string, readonly unknown[]>>
  // biome-ignore lint/suspicious/noExplicitAny: metadata of any shape
  readonly metadata: any
  readonly types: readonly string[]
}

export function readByReference(bytes: Uint8Array): ReadStream {
  const table = tableFromIPC(bytes)
  return {
    columns: Object.fromEntries(
      table.schema.fields.map(({ name }) => [name, [...(table.getChild(name) ?? [])]]),
    ),
    metadata: JSON.parse(table.schema.metadata.get('quantd') ?? 'null'),
    types: table.schema.fields.map(({ type }) => String(type)),
  }
}
