/** Columns as Arrow streams: one record batch of float64 columns and dictionaries of strings. */
import {
  inner,
  integer,
  longAt,
  rootOf,
  type Table,
  tables,
  text,
  type Value,
  vector,
  written,
} from './flatbuffer.ts'
import type { NumberArray } from './numbers.ts'

// Schema.fbs and Message.fbs of the Arrow columnar format.
const CONTINUATION = 0xffffffff
const METADATA_V5 = 4
const HEADER = { schema: 1, dictionaryBatch: 2, recordBatch: 3 }
const TYPE = { int: 2, float: 3, utf8: 5 }
const DOUBLE = 2
/** The entry of a schema's metadata that holds all that is no column, as a JSON object. */
const METADATA_KEY = 'quantd'

export type WordColumn = (string | null)[]

interface Column {
  readonly name: string
  /** null: doubles. */
  readonly words: readonly string[] | null
  /** Doubles, or places of words. */
  readonly values: Float64Array | Int32Array
}

/** A list of numbers, a list of strings, or null for any other: the service then explains what is wrong with it. */
function columnOf(name: string, list: readonly unknown[] | NumberArray): Column | null {
  if (ArrayBuffer.isView(list))
    return { name, words: null, values: list instanceof Float64Array ? list : Float64Array.from(list) }
  if (list.every((value) => typeof value === 'number'))
    return { name, words: null, values: Float64Array.from(list) }
  if (!list.every((value) => typeof value === 'string')) return null
  const places = new Map([...new Set(list)].map((word, place) => [word, place]))
  return { name, words: [...places.keys()], values: Int32Array.from(list, (word) => places.get(word)!) }
}

/**
 * The bytes of a stream; null where a list holds something else than numbers, or than strings.
 * @param lists of the same length
 * @param scalars of the other fields
 */
export function encoded(
  lists: readonly (readonly [string, readonly unknown[] | NumberArray])[],
  scalars: object,
): Uint8Array | null {
  const columns = lists.map(([name, list]) => columnOf(name, list))
  if (!columns.every((column) => column !== null)) return null
  const rows = columns[0]?.values.length ?? 0
  const batch = columns.flatMap(({ values }) => [NONE, bytesOf(values)])
  return joined([
    ...message(HEADER.schema, schema(columns, JSON.stringify(scalars)), []),
    ...columns.flatMap(({ words }, id) => (words === null ? [] : dictionaryBatch(id, words))),
    ...message(HEADER.recordBatch, batchHeader(rows, columns.length, batch), batch),
    bytesOf(Uint32Array.of(CONTINUATION, 0)),
  ])
}

const NONE = new Uint8Array(0)
const byte = (value: number): Value => ({ bytes: 1, value })
const short = (value: number): Value => ({ bytes: 2, value })
const int = (value: number): Value => ({ bytes: 4, value })
const long = (value: number): Value => ({ bytes: 8, value })
const aligned = (length: number): number => Math.ceil(length / 8) * 8
const bytesOf = ({ buffer, byteLength, byteOffset }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer as ArrayBuffer, byteOffset, byteLength)

/** Metadata and body; each buffer of the body begins at a multiple of eight. */
function message(type: number, header: Value, body: readonly Uint8Array[]): Uint8Array[] {
  const bodyBytes = body.reduce((sum, { length }) => sum + aligned(length), 0)
  const metadata = written({ fields: [short(METADATA_V5), byte(type), header, long(bodyBytes)] })
  const padded = body.flatMap((one) => [one, new Uint8Array(aligned(one.length) - one.length)])
  return [bytesOf(Uint32Array.of(CONTINUATION, metadata.length)), metadata, ...padded]
}

function schema(columns: readonly Column[], metadata: string): Value {
  const signed32: Value = { fields: [int(32), byte(1)] }
  const fields = columns.map(({ name, words }, id): Value => {
    const [type, details, dictionary] =
      words === null
        ? [TYPE.float, { fields: [short(DOUBLE)] }, null]
        : [TYPE.utf8, { fields: [] }, { fields: [long(id), signed32] }]
    return { fields: [{ text: name }, byte(0), byte(type), details, dictionary, { items: [] }] }
  })
  const entry: Value = { fields: [{ text: METADATA_KEY }, { text: metadata }] }
  return { fields: [short(0), { items: fields }, { items: [entry] }] }
}

function dictionaryBatch(id: number, words: readonly string[]): Uint8Array[] {
  const texts = words.map((word) => new TextEncoder().encode(word))
  const offsets = new Int32Array(words.length + 1)
  for (const [index, { length }] of texts.entries()) offsets[index + 1] = offsets[index]! + length
  const body = [NONE, bytesOf(offsets), joined(texts)]
  return message(HEADER.dictionaryBatch, { fields: [long(id), batchHeader(words.length, 1, body)] }, body)
}

/** @param nodes columns of the batch, without nulls */
function batchHeader(rows: number, nodes: number, body: readonly Uint8Array[]): Value {
  let start = 0
  const buffers = body.map(({ length }) => {
    const buffer = [start, length] as const
    start += aligned(length)
    return buffer
  })
  return {
    fields: [
      long(rows),
      { pairs: Array.from({ length: nodes }, () => [rows, 0] as const) },
      { pairs: buffers },
    ],
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

export interface Decoded {
  readonly columns: Readonly<Record<string, Float64Array | WordColumn>>
  readonly metadata: object
}

/** Reads a stream of the service: one record batch of float64 columns and dictionaries of strings with indices of a byte. */
export function decoded(bytes: Uint8Array): Decoded {
  let fields: Table[] = []
  let metadata = '{}'
  const words = new Map<number, string[]>()
  const columns: Record<string, Float64Array | WordColumn> = {}
  for (const { body, header, type } of messages(bytes)) {
    if (type === HEADER.schema) {
      fields = tables(header, 1)
      const entry = tables(header, 2).find((one) => text(one, 0) === METADATA_KEY)
      if (entry !== undefined) metadata = text(entry, 1)
    } else if (type === HEADER.dictionaryBatch) {
      words.set(integer(header, 0, 8), wordsOf(inner(header, 1)!, body))
    } else {
      const buffers = buffersOf(header, body)
      const rows = integer(header, 0, 8)
      for (const [index, field] of fields.entries()) {
        const [validity, data] = [buffers[2 * index]!, buffers[2 * index + 1]!]
        const dictionary = inner(field, 4)
        columns[text(field, 0)] =
          dictionary === null
            ? doubles(data, rows, validity)
            : wordsAt(data, rows, validity, words.get(integer(dictionary, 0, 8))!)
      }
    }
  }
  return { columns, metadata: JSON.parse(metadata) }
}

function* messages(bytes: Uint8Array): Generator<{ type: number; header: Table; body: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  let at = 0
  for (;;) {
    const length = view.getUint32(at + 4, true)
    if (length === 0) return
    const start = at + 8 + length
    const root = rootOf(new DataView(bytes.buffer, bytes.byteOffset + at + 8, length))
    at = start + integer(root, 3, 8)
    yield { type: integer(root, 1, 1), header: inner(root, 2)!, body: bytes.subarray(start, at) }
  }
}

function buffersOf(batch: Table, body: Uint8Array): Uint8Array[] {
  const { length, start } = vector(batch, 2)
  return Array.from({ length }, (_, index) => {
    const from = longAt(batch.view, start + 16 * index)
    return body.subarray(from, from + longAt(batch.view, start + 16 * index + 8))
  })
}

function wordsOf(batch: Table, body: Uint8Array): string[] {
  const [, offsets, data] = buffersOf(batch, body) as [Uint8Array, Uint8Array, Uint8Array]
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.length)
  return Array.from({ length: integer(batch, 0, 8) }, (_, index) =>
    new TextDecoder().decode(
      data.subarray(view.getInt32(4 * index, true), view.getInt32(4 * index + 4, true)),
    ),
  )
}

/** @param validity a bit per row, or empty: all rows have values */
const isMissing = (validity: Uint8Array, row: number): boolean =>
  validity.length > 0 && ((validity[row >> 3]! >> (row & 7)) & 1) === 0

/** Copied, so that they are aligned. */
function doubles(data: Uint8Array, rows: number, validity: Uint8Array): Float64Array {
  const values = new Float64Array(data.slice(0, 8 * rows).buffer)
  for (let row = 0; row < rows; row++) if (isMissing(validity, row)) values[row] = Number.NaN
  return values
}

const wordsAt = (
  data: Uint8Array,
  rows: number,
  validity: Uint8Array,
  words: readonly string[],
): WordColumn =>
  Array.from({ length: rows }, (_, row) => (isMissing(validity, row) ? null : words[data[row]!]!))
