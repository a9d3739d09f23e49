/**
 * Reads an Arrow IPC stream. Every length and offset is checked before it is used, so that a hostile stream costs no more
 * time and memory than its bytes and its numbers. Nothing is copied.
 */
import { invalidInput } from '../../body/validate.ts'
import { MAX_COLUMNS } from '../../catalogue/schema.ts'
import type { Failure } from '../../errors.ts'
import {
  lengthAt,
  readByte,
  readInt,
  readLength,
  readShort,
  readTable,
  readTables,
  readText,
  readVector,
  rootOf,
  type Table,
} from './flatbuffer.ts'
import { CONTINUATION, HEADER, METADATA_KEY, PRECISION, TYPE, TYPE_NAMES } from './format.ts'

/** The kinds of values that columns may have. */
export type Kind =
  | { readonly is: 'int'; readonly bits: 8 | 16 | 32 | 64; readonly isSigned: boolean }
  | { readonly is: 'float'; readonly bits: 32 | 64 }
  | { readonly is: 'bool'; readonly bits: 1 }
  | { readonly is: 'utf8'; readonly offsetBits: 32 | 64 }

export interface StreamField {
  readonly name: string
  /** Of the values; of a dictionary's values where there is one. */
  readonly kind: Kind
  readonly dictionary: { readonly id: number; readonly index: Extract<Kind, { is: 'int' }> } | null
}

/** The values of a field in one batch: buffers that are long enough for its rows. */
export interface Part {
  readonly rows: number
  /** Offsets of utf8 values; empty otherwise. */
  readonly offsets: Uint8Array
  readonly data: Uint8Array
  /** The values that indices refer to, where the field has a dictionary. */
  readonly dictionary: Part | null
}

export interface Stream {
  readonly fields: readonly StreamField[]
  readonly rows: number
  /** By field, the parts of all batches in order. */
  readonly parts: readonly (readonly Part[])[]
  /** The text of the schema's metadata under `quantd`; null: there is none. */
  readonly metadata: string | null
}

const MAX_NAME_BYTES = 1_000
const MAX_METADATA_BYTES = 65_536

/** Throws Failure `invalid_input`. @param maxRows of all batches together, by the number of fields */
export function readStream(bytes: Uint8Array, maxRows: (fields: number) => number): Stream {
  try {
    return readMessages(bytes, maxRows)
  } catch (error) {
    // A DataView refuses offsets beyond its bounds in this way.
    if (error instanceof RangeError) throw malformed(`has invalid metadata (${error.message})`)
    throw error
  }
}

interface Message {
  readonly type: number
  readonly header: Table
  readonly body: Uint8Array
}

function readMessages(bytes: Uint8Array, maxRows: (fields: number) => number): Stream {
  const messages = messagesOf(bytes)
  const first = messages.next()
  if (first.done || first.value.type !== HEADER.schema) throw malformed('does not begin with a schema')
  const { fields, metadata } = readSchema(first.value.header)
  const most = maxRows(fields.length)
  const dictionaries = new Map<number, Part>()
  const parts: Part[][] = fields.map(() => [])
  let rows = 0
  for (const { body, header, type } of messages) {
    if (type === HEADER.dictionaryBatch) readDictionary(fields, header, body, dictionaries)
    else if (type === HEADER.recordBatch) {
      rows += readLength(header, 0)
      if (rows > most)
        throw invalidInput([
          {
            path: '/columns',
            message: `have more than ${most} rows, the most that are allowed: send them in parts`,
          },
        ])
      for (const [index, part] of readBatch(fields, header, body, dictionaries, rows).entries())
        parts[index]!.push(part)
    } else throw malformed('has a message that is neither a dictionary nor a record batch')
  }
  return { fields, rows, parts, metadata }
}

function* messagesOf(bytes: Uint8Array): Generator<Message, void> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  for (;;) {
    if (at + 8 > bytes.length) throw malformed('ends without its end mark: it may have been cut off')
    if (view.getUint32(at, true) !== CONTINUATION)
      throw malformed('is not in the streaming format: a message must begin with the bytes FF FF FF FF')
    const metadataBytes = view.getUint32(at + 4, true)
    at += 8
    if (metadataBytes === 0) break
    if (at + metadataBytes > bytes.length) throw malformed('ends within a message')
    const message = rootOf(new DataView(bytes.buffer, bytes.byteOffset + at, metadataBytes))
    const bodyBytes = readLength(message, 3)
    at += metadataBytes
    if (at + bodyBytes > bytes.length) throw malformed('ends within a message')
    const header = readTable(message, 2)
    if (header === null) throw malformed('has a message without a header')
    yield { type: readByte(message, 1), header, body: bytes.subarray(at, at + bodyBytes) }
    at += bodyBytes
  }
  if (at < bytes.length) throw malformed('goes on behind its end mark')
}

function readSchema(schema: Table): Pick<Stream, 'fields' | 'metadata'> {
  if (readShort(schema, 0) !== 0) throw malformed('is big-endian; send it as little-endian')
  const { length } = readVector(schema, 1, 4)
  if (length > MAX_COLUMNS) throw malformed(`has ${length} columns; at most ${MAX_COLUMNS} are allowed`)
  const fields: StreamField[] = []
  const names = new Set<string>()
  for (const table of readTables(schema, 1)) {
    const field = readField(table)
    if (names.has(field.name)) throw columnFault(field.name, 'occurs twice')
    names.add(field.name)
    fields.push(field)
  }
  let metadata: string | null = null
  for (const entry of readTables(schema, 2)) {
    if (readVector(entry, 0, 1).length !== METADATA_KEY.length) continue
    if (readText(entry, 0, METADATA_KEY.length) === METADATA_KEY)
      metadata = readText(entry, 1, MAX_METADATA_BYTES)
  }
  return { fields, metadata }
}

function readField(field: Table): StreamField {
  const name = readText(field, 0, MAX_NAME_BYTES)
  const kind = kindOf(readByte(field, 2), readTable(field, 3), name)
  if (readVector(field, 5, 4).length > 0) throw columnFault(name, 'must not be nested')
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
  throw columnFault(
    name,
    `has the Arrow type ${TYPE_NAMES[type] ?? type}; it must be float64, float32, an integer, bool, utf8 or a dictionary of utf8`,
  )
}

function intOf(details: Table, name: string): Extract<Kind, { is: 'int' }> {
  const bits = readInt(details, 0)
  if (bits !== 8 && bits !== 16 && bits !== 32 && bits !== 64)
    throw columnFault(name, `has integers of ${bits} bits`)
  return { is: 'int', bits, isSigned: readByte(details, 1) !== 0 }
}

type Dictionaries = Map<number, Part>

function readDictionary(
  fields: readonly StreamField[],
  header: Table,
  body: Uint8Array,
  dictionaries: Dictionaries,
): void {
  const id = readLength(header, 0)
  const batch = readTable(header, 1)
  const field = fields.find(({ dictionary }) => dictionary?.id === id)
  if (field === undefined || batch === null) throw malformed('has a dictionary that no column uses')
  if (readByte(header, 2) !== 0) throw columnFault(field.name, 'has a delta dictionary; send a complete one')
  const values = { name: field.name, kind: field.kind, dictionary: null }
  dictionaries.set(id, readBatch([values], batch, body, dictionaries, 0)[0]!)
}

/** @param rowsSoFar of the stream, with this batch */
function readBatch(
  fields: readonly StreamField[],
  header: Table,
  body: Uint8Array,
  dictionaries: Dictionaries,
  rowsSoFar: number,
): Part[] {
  if (readTable(header, 3) !== null) throw malformed('is compressed; send it uncompressed')
  const rows = readLength(header, 0)
  const nodes = readVector(header, 1, 16)
  const buffers = readVector(header, 2, 16)
  if (nodes.length !== fields.length) throw malformed('has a batch that does not match its schema')
  let next = 0
  const buffer = (name: string): Uint8Array => {
    if (next >= buffers.length) throw malformed('has a batch that does not match its schema')
    const at = buffers.start + 16 * next
    next += 1
    const start = lengthAt(header.view, at)
    const end = start + lengthAt(header.view, at + 8)
    if (end > body.length) throw columnFault(name, 'lies outside of its batch')
    return body.subarray(start, end)
  }
  const parts = fields.map(({ dictionary, kind, name }, index): Part => {
    const node = nodes.start + 16 * index
    if (lengthAt(header.view, node) !== rows) throw columnFault(name, 'has another length than its batch')
    refuseNulls(name, buffer(name), rows, lengthAt(header.view, node + 8), rowsSoFar - rows)
    if (dictionary !== null) {
      const data = longEnough(name, buffer(name), rows, dictionary.index.bits)
      const values = dictionaries.get(dictionary.id)
      if (values === undefined) throw columnFault(name, 'has no dictionary')
      return { rows, offsets: NONE, data, dictionary: values }
    }
    if (kind.is !== 'utf8')
      return { rows, offsets: NONE, data: longEnough(name, buffer(name), rows, kind.bits), dictionary: null }
    const offsets = longEnough(name, buffer(name), rows === 0 ? 0 : rows + 1, kind.offsetBits)
    return { rows, offsets, data: buffer(name), dictionary: null }
  })
  if (next !== buffers.length) throw malformed('has a batch that does not match its schema')
  return parts
}

const NONE = new Uint8Array(0)

function longEnough(name: string, buffer: Uint8Array, values: number, bits: number): Uint8Array {
  if (buffer.length < Math.ceil((values * bits) / 8))
    throw columnFault(name, 'has fewer values than its batch has rows')
  return buffer
}

/** @param validity a bit per row, or empty @param before rows in earlier batches; negative: in a dictionary */
function refuseNulls(name: string, validity: Uint8Array, rows: number, nulls: number, before: number): void {
  if (validity.length === 0) {
    if (nulls > 0) throw columnFault(name, 'has nulls but no bits that tell which')
    return
  }
  if (validity.length < Math.ceil(rows / 8)) throw columnFault(name, 'has fewer validity bits than rows')
  for (let row = 0; row < rows; row++) {
    if ((row & 7) === 0 && validity[row >> 3] === 255) row += 7
    else if (((validity[row >> 3]! >> (row & 7)) & 1) === 0)
      throw before < 0
        ? columnFault(name, 'has a dictionary with a null')
        : columnFault(`${name}/${before + row}`, 'is null; give it a value or leave the row out')
  }
}

/** @param place the name of a column, or `name/row` */
export const columnFault = (place: string, message: string): Failure =>
  invalidInput([{ path: `/columns/${place}`, message }])

const malformed = (problem: string): Failure => {
  const message = `is not a well-formed Arrow stream: it ${problem}`
  return invalidInput([{ path: '', message }])
}
