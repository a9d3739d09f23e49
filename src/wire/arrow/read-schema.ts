/** Reads the schema of an Arrow stream: its fields, and the scalars in its metadata. */

import {
  countTables,
  readByte,
  readInt,
  readLength,
  readShort,
  readTable,
  readTables,
  readText,
  type Table,
} from './flatbuffer.ts'
import {
  columnFault,
  DATE_UNIT,
  METADATA_KEY,
  malformed,
  PRECISION,
  TIMESTAMPS_PER_DAY,
  TYPE,
  TYPE_NAMES,
} from './format.ts'

/** The kinds of values that columns may have. */
export type Kind =
  | { readonly is: 'int'; readonly bits: 8 | 16 | 32 | 64; readonly isSigned: boolean }
  | { readonly is: 'float'; readonly bits: 32 | 64 }
  | { readonly is: 'bool'; readonly bits: 1 }
  | { readonly is: 'utf8'; readonly offsetBits: 32 | 64 }
  | { readonly is: 'date'; readonly bits: 32 | 64; readonly perDay: number }

/** The content of a column of each kind, for messages. */
export const CONTENT = {
  int: 'integers',
  float: 'numbers',
  bool: 'booleans',
  utf8: 'text',
  date: 'dates',
} as const

export interface StreamField {
  readonly name: string
  /** The kind of the values; with a dictionary, of the values in it. */
  readonly kind: Kind
  readonly dictionary: { readonly id: number; readonly index: Extract<Kind, { is: 'int' }> } | null
}

export interface StreamSchema {
  readonly fields: readonly StreamField[]
  /** The text of the metadata under `quantd`; null: there is none. */
  readonly metadata: string | null
}

const MAX_NAME = 1_000

export function readSchema(schema: Table, maxColumns: number): StreamSchema {
  if (readShort(schema, 0) !== 0) throw malformed('is big-endian; send it as little-endian')
  const columns = countTables(schema, 1)
  if (columns > maxColumns) throw malformed(`has ${columns} columns; at most ${maxColumns} are allowed`)
  const fields: StreamField[] = []
  const names = new Set<string>()
  for (const table of readTables(schema, 1)) {
    const field = readField(table)
    if (names.has(field.name)) throw columnFault(field.name, 'occurs twice')
    names.add(field.name)
    fields.push(field)
  }
  let metadata: string | null = null
  for (const entry of readTables(schema, 2))
    if (readText(entry, 0) === METADATA_KEY) metadata = readText(entry, 1)
  return { fields, metadata }
}

function readField(field: Table): StreamField {
  const name = readText(field, 0)
  if (name.length > MAX_NAME) throw malformed(`has a column whose name is longer than ${MAX_NAME} characters`)
  const kind = kindOf(readByte(field, 2), readTable(field, 3), name)
  if (countTables(field, 5) > 0) throw columnFault(name, 'must not be nested')
  const encoding = readTable(field, 4)
  if (encoding === null) return { name, kind, dictionary: null }
  if (kind.is !== 'utf8') throw columnFault(name, 'has a dictionary of values that are not strings')
  const indexType = readTable(encoding, 1)
  const index = indexType === null ? int32 : intOf(indexType, name)
  return { name, kind, dictionary: { id: readLength(encoding, 0), index } }
}

const int32 = { is: 'int', bits: 32, isSigned: true } as const

function kindOf(type: number, details: Table | null, name: string): Kind {
  if (type === TYPE.utf8) return { is: 'utf8', offsetBits: 32 }
  if (type === TYPE.largeUtf8) return { is: 'utf8', offsetBits: 64 }
  if (type === TYPE.bool) return { is: 'bool', bits: 1 }
  if (type === TYPE.int && details !== null) return intOf(details, name)
  if (type === TYPE.float && details !== null) {
    const precision = readShort(details, 0)
    if (precision === PRECISION.double) return { is: 'float', bits: 64 }
    if (precision === PRECISION.single) return { is: 'float', bits: 32 }
  }
  if (type === TYPE.date && details !== null)
    return readShort(details, 0, DATE_UNIT.millisecond) === DATE_UNIT.day
      ? { is: 'date', bits: 32, perDay: 1 }
      : { is: 'date', bits: 64, perDay: TIMESTAMPS_PER_DAY[1] }
  // The numbers of timestamps with a zone are instants, like those without one.
  const perDay =
    type === TYPE.timestamp && details !== null ? TIMESTAMPS_PER_DAY[readShort(details, 0)] : undefined
  if (perDay !== undefined) return { is: 'date', bits: 64, perDay }
  throw columnFault(
    name,
    `has the Arrow type ${TYPE_NAMES[type] ?? type}; it must be float64, float32, an integer, bool, text (utf8), a dictionary of text, a date or a timestamp`,
  )
}

function intOf(details: Table, name: string): Extract<Kind, { is: 'int' }> {
  const bits = readInt(details, 0)
  if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64)
    throw columnFault(name, `has integers of ${bits} bits`)
  return { is: 'int', bits, isSigned: readByte(details, 1) !== 0 }
}
