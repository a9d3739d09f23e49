/**
 * Reads an Arrow IPC stream without copying. Every length and offset is checked before it is used, and the parts that a message
 * refers to must fit into it together: the time and memory that a hostile stream costs are bounded by its length.
 */

import { readByte, readLength, readPairs, readTable, rootOf, type Table } from './flatbuffer.ts'
import { ArrowFault, CONTINUATION, columnFault, HEADER, malformed } from './format.ts'
import { type Kind, readSchema, type StreamField, type StreamSchema } from './read-schema.ts'

/** The values of a field in one batch: buffers that are long enough for its rows. */
export interface Chunk {
  readonly rows: number
  /** A bit per row, which is set if the row has a value; empty: all have one. */
  readonly validity: Uint8Array
  /** Offsets of utf8 values; empty otherwise. */
  readonly offsets: Uint8Array
  readonly data: Uint8Array
  /** The dictionary to which the values are indices; null: there is none. Chunks with the same dictionary share one object. */
  readonly dictionary: Chunk | null
}

export interface Stream extends StreamSchema {
  readonly rows: number
  /** For each field, its chunks of all batches that have rows, in order. */
  readonly chunks: readonly (readonly Chunk[])[]
}

export interface Limits {
  readonly columns: number
  /** The rows that all batches together may have, with so many columns. */
  readonly rows: (columns: number) => number
}

const UNLIMITED: Limits = { columns: Number.POSITIVE_INFINITY, rows: () => Number.POSITIVE_INFINITY }

/** Throws ArrowFault. */
export function readStream(bytes: Uint8Array, limits = UNLIMITED): Stream {
  return wellFormed(() => {
    const messages = messagesOf(bytes)
    const first = messages.next()
    if (first.done || first.value.type !== HEADER.schema) throw malformed('does not begin with a schema')
    return readBatches(first.value.header, messages, limits)
  })
}

/** Reads an Arrow file: a stream between marks, whose schema is repeated in a footer. Throws ArrowFault. */
export function readArrowFile(bytes: Uint8Array): Stream {
  return wellFormed(() => {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const end = bytes.length - FILE_MARK_BYTES - 4
    const footerBytes = end < FILE_START ? -1 : view.getInt32(end, true)
    if (footerBytes < 0 || end - footerBytes < FILE_START) throw malformed('ends without its footer')
    const footer = rootOf(new DataView(bytes.buffer, bytes.byteOffset + end - footerBytes, footerBytes))
    const schema = readTable(footer, 1)
    if (schema === null) throw malformed('has a footer without a schema')
    const messages = messagesOf(bytes.subarray(FILE_START, end - footerBytes))
    return readBatches(
      schema,
      // Some writers omit the schema at the beginning.
      messages.filter(({ type }) => type !== HEADER.schema),
      UNLIMITED,
    )
  })
}

/** The bytes of the mark at both ends of a file, and those before its stream, which begins at a multiple of eight. */
const FILE_MARK_BYTES = 6
const FILE_START = 8

function wellFormed(read: () => Stream): Stream {
  try {
    return read()
  } catch (error) {
    // A DataView throws a RangeError for an offset beyond its bounds.
    if (error instanceof RangeError) throw malformed(`has invalid metadata (${error.message})`)
    throw error
  }
}

function readBatches(schema: Table, messages: Iterable<Message>, limits: Limits): Stream {
  const { fields, metadata } = readSchema(schema, limits.columns)
  const most = limits.rows(fields.length)
  const dictionaries = dictionariesOf(fields)
  const chunks: Chunk[][] = fields.map(() => [])
  let rows = 0
  for (const { body, header, type } of messages) {
    if (type === HEADER.dictionaryBatch) readDictionary(dictionaries, header, body)
    else if (type === HEADER.recordBatch) {
      rows += readLength(header, 0)
      if (rows > most)
        throw new ArrowFault(
          '/columns',
          `have more than ${most} rows, the most that are allowed: send them in parts`,
        )
      if (fields.length === 0 && rows > 0) throw malformed(`has ${rows} rows but no columns`)
      for (const [index, chunk] of readBatch(fields, header, body, dictionaries).entries())
        if (chunk.rows > 0) chunks[index]?.push(chunk)
    } else throw malformed('has a message that is neither a dictionary nor a record batch')
  }
  return { fields, rows, chunks, metadata }
}

interface Message {
  readonly type: number
  readonly header: Table
  readonly body: Uint8Array
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

/** The dictionaries by id: the field that describes their strings, and the latest strings; null: none have arrived yet. */
type Dictionaries = ReadonlyMap<number, { readonly field: StreamField; values: Chunk | null }>

function dictionariesOf(fields: readonly StreamField[]): Dictionaries {
  const dictionaries = new Map<number, { readonly field: StreamField; values: Chunk | null }>()
  for (const { dictionary, kind, name } of fields) {
    if (dictionary === null) continue
    const field = { name, kind, dictionary: null }
    const first = dictionaries.get(dictionary.id)?.field ?? field
    if (!isSameKind(first.kind, kind))
      throw columnFault(name, `shares the dictionary of ${first.name}, which has other strings`)
    dictionaries.set(dictionary.id, { field: first, values: null })
  }
  return dictionaries
}

const isSameKind = (one: Kind, other: Kind): boolean =>
  one.is === 'utf8' && other.is === 'utf8' && one.offsetBits === other.offsetBits

function readDictionary(dictionaries: Dictionaries, header: Table, body: Uint8Array): void {
  const dictionary = dictionaries.get(readLength(header, 0))
  const batch = readTable(header, 1)
  if (dictionary === undefined || batch === null) throw malformed('has a dictionary that no column uses')
  const { field } = dictionary
  if (readByte(header, 2) !== 0) throw columnFault(field.name, 'has a delta dictionary; send a complete one')
  const [values] = readBatch([field], batch, body, dictionaries)
  if (values === undefined || missingRow(values) !== null)
    throw columnFault(field.name, 'has a dictionary with a null')
  dictionary.values = values
}

function readBatch(
  fields: readonly StreamField[],
  header: Table,
  body: Uint8Array,
  dictionaries: Dictionaries,
): Chunk[] {
  if (readTable(header, 3) !== null) throw malformed('is compressed; send it uncompressed')
  const rows = readLength(header, 0)
  const nodes = readPairs(header, 1)
  const places = readPairs(header, 2)
  const isMatch = nodes.length === 2 * fields.length && places.length === 2 * buffersFor(fields)
  if (!isMatch) throw malformed('has a batch that does not match its schema')
  const next = buffersOf(places, body)
  const chunks = fields.map(({ dictionary, kind, name }, index): Chunk => {
    if (nodes[2 * index] !== rows) throw columnFault(name, 'has another length than its batch')
    const validity = next(name)
    const hasNulls = nodes[2 * index + 1] !== 0
    if (hasNulls && validity.length === 0) throw columnFault(name, 'has nulls but no bits that tell which')
    if (validity.length > 0 && validity.length < Math.ceil(rows / 8))
      throw columnFault(name, 'has fewer validity bits than rows')
    const offsets =
      dictionary === null && kind.is === 'utf8'
        ? longEnough(name, next(name), rows === 0 ? 0 : rows + 1, kind.offsetBits)
        : NOTHING
    const data = next(name)
    if (dictionary !== null) longEnough(name, data, rows, dictionary.index.bits)
    else if (kind.is !== 'utf8') longEnough(name, data, rows, kind.bits)
    const values = dictionary === null ? null : (dictionaries.get(dictionary.id)?.values ?? null)
    if (dictionary !== null && values === null) throw columnFault(name, 'has no dictionary')
    return { rows, validity, offsets, data, dictionary: values }
  })
  return chunks
}

const NOTHING = new Uint8Array(0)

/** Each field has a buffer of validity and one of data; strings also have offsets. */
const buffersFor = (fields: readonly StreamField[]): number =>
  fields.reduce((sum, field) => sum + (isText(field) ? 3 : 2), 0)

const isText = ({ dictionary, kind }: StreamField): boolean => dictionary === null && kind.is === 'utf8'

/** Returns a function that takes one buffer of a batch after another. They may not share bytes: together they fit into the body. */
function buffersOf(places: Float64Array, body: Uint8Array): (name: string) => Uint8Array {
  let at = 0
  let unread = body.length
  return (name) => {
    const [start = 0, length = 0] = places.subarray(at, at + 2)
    at += 2
    unread -= length
    if (start + length > body.length) throw columnFault(name, 'lies outside of its batch')
    if (unread < 0) throw columnFault(name, 'shares bytes with another column of its batch')
    return length === 0 ? NOTHING : body.subarray(start, start + length)
  }
}

function longEnough(name: string, buffer: Uint8Array, values: number, bits: number): Uint8Array {
  if (buffer.length < Math.ceil((values * bits) / 8))
    throw columnFault(name, 'has fewer values than its batch has rows')
  return buffer
}

export const isMissing = ({ validity }: Chunk, row: number): boolean =>
  validity.length > 0 && (((validity[row >> 3] ?? 0) >> (row & 7)) & 1) === 0

/** The first row from `start` on whose value is missing; null: there is none. */
export function missingRow(chunk: Chunk, start = 0): number | null {
  const { rows, validity } = chunk
  if (validity.length === 0) return null
  for (let row = start; row < rows; row++) {
    if ((row & 7) === 0 && validity[row >> 3] === 255) row += 7
    else if (isMissing(chunk, row)) return row
  }
  return null
}
