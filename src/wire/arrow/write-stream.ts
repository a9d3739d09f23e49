/** Writes columns as an Arrow IPC stream: a schema, the dictionaries, one record batch. */
import { CONTINUATION, HEADER, METADATA_KEY, METADATA_V5, PRECISION, TYPE } from './format.ts'

export interface WrittenColumn {
  readonly name: string
  /** `words`: the strings of a dictionary, to which the values are indices. */
  readonly type: 'float64' | 'int32' | 'bool' | { readonly words: readonly string[] }
  /** One per row: doubles, integers, 0 and 1, or indices of words. */
  readonly values: ArrayLike<number>
}

/**
 * @param missing the rows that are null in every column
 * @param metadata is put into the schema under `quantd`, as JSON
 */
export function writeStream(
  columns: readonly WrittenColumn[],
  rows: number,
  missing: readonly number[],
  metadata: object,
): Uint8Array[] {
  const dictionaries = columns.flatMap(({ type }, id) =>
    typeof type === 'object' ? dictionaryBatch(id, type.words) : [],
  )
  return [
    ...message(HEADER.schema, schema(columns, missing.length > 0, JSON.stringify(metadata)), []),
    ...dictionaries,
    ...recordBatch(columns, rows, missing),
    END,
  ]
}

/** A message with its metadata and body; each buffer of the body begins at a multiple of eight. */
function message(type: number, header: Value, body: readonly Uint8Array[]): Uint8Array[] {
  const bytes = body.reduce((sum, one) => sum + aligned(one.length), 0)
  const metadata = written({ fields: [short(METADATA_V5), byte(type), header, long(bytes)] })
  const padded = body.flatMap((one) => [one, PADDING.subarray(0, aligned(one.length) - one.length)])
  return [bytesOf(Uint32Array.of(CONTINUATION, metadata.length)), metadata, ...padded]
}

const PADDING = new Uint8Array(8)
const aligned = (length: number): number => Math.ceil(length / 8) * 8
const bytesOf = ({ buffer, byteLength, byteOffset }: ArrayBufferView): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength)
const END = bytesOf(Uint32Array.of(CONTINUATION, 0))

function schema(columns: readonly WrittenColumn[], isNullable: boolean, metadata: string): Value {
  const fields = columns.map(({ name, type }, id) => ({
    fields: [{ text: name }, byte(isNullable ? 1 : 0), ...typeOf(type, id), { items: [] }],
  }))
  const entry = { fields: [{ text: METADATA_KEY }, { text: metadata }] }
  return { fields: [short(0), { items: fields }, { items: [entry] }] }
}

/** The indices of a dictionary with at most this many words fit into a signed byte. */
const BYTE_WORDS = 128

/** The number, details and dictionary of a field's type. */
function typeOf(type: WrittenColumn['type'], id: number): [Value, Value, Value | null] {
  if (type === 'float64') return [byte(TYPE.float), { fields: [short(PRECISION.double)] }, null]
  if (type === 'int32') return [byte(TYPE.int), { fields: [int(32), byte(1)] }, null]
  if (type === 'bool') return [byte(TYPE.bool), { fields: [] }, null]
  const index: Value = { fields: [int(type.words.length <= BYTE_WORDS ? 8 : 32), byte(1)] }
  return [byte(TYPE.utf8), { fields: [] }, { fields: [long(id), index] }]
}

function dictionaryBatch(id: number, words: readonly string[]): Uint8Array[] {
  const texts = words.map((word) => new TextEncoder().encode(word))
  const offsets = new Int32Array(words.length + 1)
  for (const [index, { length }] of texts.entries()) offsets[index + 1] = offsets[index] + length
  const body = [NO_BITS, bytesOf(offsets), joined(texts)]
  const header = { fields: [long(id), batchHeader(words.length, [[words.length, 0]], body)] }
  return message(HEADER.dictionaryBatch, header, body)
}

const NO_BITS = new Uint8Array(0)

function recordBatch(
  columns: readonly WrittenColumn[],
  rows: number,
  missing: readonly number[],
): Uint8Array[] {
  const validity = missing.length === 0 ? NO_BITS : validityOf(rows, missing)
  const body = columns.flatMap(({ type, values }) => [validity, encoded(type, values)])
  const nodes = columns.map(() => [rows, missing.length] as const)
  return message(HEADER.recordBatch, batchHeader(rows, nodes, body), body)
}

function batchHeader(
  rows: number,
  nodes: readonly (readonly [number, number])[],
  body: readonly Uint8Array[],
): Value {
  let start = 0
  const buffers = body.map(({ length }) => {
    const buffer = [start, length] as const
    start += aligned(length)
    return buffer
  })
  return { fields: [long(rows), { pairs: nodes }, { pairs: buffers }] }
}

function encoded(type: WrittenColumn['type'], values: ArrayLike<number>): Uint8Array {
  if (type === 'float64') return bytesOf(values instanceof Float64Array ? values : Float64Array.from(values))
  if (type === 'bool') return bitsOf(values)
  if (type === 'int32' || type.words.length > BYTE_WORDS)
    return bytesOf(values instanceof Int32Array ? values : Int32Array.from(values))
  return values instanceof Uint8Array ? values : Uint8Array.from(values)
}

function bitsOf(values: ArrayLike<number>): Uint8Array {
  const bits = new Uint8Array(Math.ceil(values.length / 8))
  for (let row = 0; row < values.length; row++) bits[row >> 3] |= (values[row] === 0 ? 0 : 1) << (row & 7)
  return bits
}

/** A bit per row, which is set if the row has values. */
function validityOf(rows: number, missing: readonly number[]): Uint8Array {
  const bits = new Uint8Array(Math.ceil(rows / 8)).fill(255)
  for (const row of missing) bits[row >> 3] &= ~(1 << (row & 7))
  return bits
}

export function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    whole.set(piece, at)
    at += piece.length
  }
  return whole
}

/** A value to write: a scalar of so many bytes, a text, a table (a null is an absent field), or a vector. */
export type Value =
  | { readonly bytes: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly text: string }
  | { readonly fields: readonly (Value | null)[] }
  | { readonly items: readonly Value[] }
  /** Structs of two int64 each. */
  | { readonly pairs: readonly (readonly [number, number])[] }

export const byte = (value: number): Value => ({ bytes: 1, value })
export const short = (value: number): Value => ({ bytes: 2, value })
export const int = (value: number): Value => ({ bytes: 4, value })
export const long = (value: number): Value => ({ bytes: 8, value })

/** A flatbuffer with this root table; its length is a multiple of eight. */
export function written(root: Value): Uint8Array {
  const space = new Space()
  space.refer(0, write(space, root))
  return space.bytes()
}

/** Memory that grows as it is written. */
class Space {
  #view = new DataView(new ArrayBuffer(1_024))
  #end = 8

  /** Reserves bytes and returns their offset. The offset plus `head` is a multiple of eight. */
  reserve(length: number, head = 0): number {
    const start = Math.ceil((this.#end + head) / 8) * 8 - head
    this.#end = start + length
    const { buffer } = this.#view
    if (this.#end + 8 > buffer.byteLength) {
      const larger = new Uint8Array(2 * (this.#end + 8))
      larger.set(new Uint8Array(buffer))
      this.#view = new DataView(larger.buffer)
    }
    return start
  }

  put(at: number, bytes: 1 | 2 | 4 | 8, value: number): void {
    if (bytes === 1) this.#view.setUint8(at, value)
    else if (bytes === 2) this.#view.setInt16(at, value, true)
    else if (bytes === 4) this.#view.setInt32(at, value, true)
    else this.#view.setBigInt64(at, BigInt(value), true)
  }

  copy(at: number, bytes: Uint8Array): void {
    new Uint8Array(this.#view.buffer).set(bytes, at)
  }

  refer(from: number, to: number): void {
    this.put(from, 4, to - from)
  }

  bytes(): Uint8Array {
    return new Uint8Array(this.#view.buffer, 0, Math.ceil(this.#end / 8) * 8)
  }
}

/** Writes a value and returns its offset. */
function write(space: Space, value: Value): number {
  if ('fields' in value) return writeTable(space, value.fields)
  if ('text' in value) {
    const text = new TextEncoder().encode(value.text)
    const start = space.reserve(4 + text.length + 1)
    space.put(start, 4, text.length)
    space.copy(start + 4, text)
    return start
  }
  if ('items' in value) {
    const start = space.reserve(4 + 4 * value.items.length)
    space.put(start, 4, value.items.length)
    for (const [index, item] of value.items.entries()) {
      const at = start + 4 + 4 * index
      space.refer(at, write(space, item))
    }
    return start
  }
  if ('pairs' in value) {
    const start = space.reserve(4 + 16 * value.pairs.length, 4)
    space.put(start, 4, value.pairs.length)
    for (const [index, number] of value.pairs.flat().entries()) space.put(start + 4 + 8 * index, 8, number)
    return start
  }
  throw new TypeError('A scalar has no place of its own.')
}

function writeTable(space: Space, fields: readonly (Value | null)[]): number {
  const vtable = space.reserve(4 + 2 * fields.length)
  // Each field takes eight bytes, so that all are aligned.
  const table = space.reserve(8 + 8 * fields.length)
  space.put(vtable, 2, 4 + 2 * fields.length)
  space.put(vtable + 2, 2, 8 + 8 * fields.length)
  space.put(table, 4, table - vtable)
  for (const [slot, field] of fields.entries()) {
    if (field === null) continue
    const at = table + 8 + 8 * slot
    space.put(vtable + 4 + 2 * slot, 2, 8 + 8 * slot)
    if ('bytes' in field) space.put(at, field.bytes, field.value)
    else space.refer(at, write(space, field))
  }
  return table
}
