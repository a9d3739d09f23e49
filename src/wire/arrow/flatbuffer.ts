/**
 * Reads flatbuffers, the encoding of Arrow's metadata, and trusts nothing. A read beyond the buffer throws a RangeError. So does
 * metadata that refers to more bytes in all than the buffer has: the time of reading is then bounded by its length.
 */

/** A buffer of metadata. `unread`: the bytes that further texts and vectors may refer to; writers refer to each byte once. */
interface Source {
  readonly view: DataView
  unread: number
}

/** A table of a flatbuffer, at an offset in its buffer. */
export interface Table {
  readonly source: Source
  readonly at: number
}

export const rootOf = (view: DataView): Table => ({
  source: { view, unread: view.byteLength },
  at: view.getUint32(0, true),
})

/** The offset of a field; 0: it is absent. @param slot the number of the field in its table */
function place({ at, source: { view } }: Table, slot: number): number {
  const vtable = at - view.getInt32(at, true)
  const entry = 4 + 2 * slot
  const offset = entry < view.getUint16(vtable, true) ? view.getUint16(vtable + entry, true) : 0
  return offset === 0 ? 0 : at + offset
}

/** A reader of scalars; an absent field has its default, which is mostly 0. */
const scalarReader =
  (read: (view: DataView, at: number) => number) =>
  (table: Table, slot: number, usual = 0): number => {
    const at = place(table, slot)
    return at === 0 ? usual : read(table.source.view, at)
  }

export const readByte = scalarReader((view, at) => view.getUint8(at))
export const readShort = scalarReader((view, at) => view.getInt16(at, true))
export const readInt = scalarReader((view, at) => view.getInt32(at, true))
/** Throws RangeError for a length that is negative or not exact as a double. */
export const readLength = scalarReader(lengthAt)
/** The number of tables in a vector. */
export const countTables = scalarReader((view, at) => view.getUint32(at + view.getUint32(at, true), true))

/** An int64 from 0 to below 2⁵³. */
function lengthAt(view: DataView, at: number): number {
  const high = view.getInt32(at + 4, true)
  if (high < 0 || high >= 2 ** 21) throw new RangeError('a length is out of range')
  return high * 2 ** 32 + view.getUint32(at, true)
}

export function readTable(table: Table, slot: number): Table | null {
  const at = place(table, slot)
  return at === 0 ? null : referred(table.source, at)
}

const referred = (source: Source, at: number): Table => ({ source, at: at + source.view.getUint32(at, true) })

interface Vector {
  readonly length: number
  /** The offset of the first item. */
  readonly start: number
}

const EMPTY: Vector = { length: 0, start: 0 }

/** Throws RangeError for a vector that does not fit into its buffer. */
function readVector(table: Table, slot: number, itemBytes: number): Vector {
  const at = place(table, slot)
  if (at === 0) return EMPTY
  const { source } = table
  const vector = at + source.view.getUint32(at, true)
  const length = source.view.getUint32(vector, true)
  if (length === 0) return EMPTY
  if (vector + 4 + length * itemBytes > source.view.byteLength) throw new RangeError('a vector is too long')
  take(source, 4 + length * itemBytes)
  return { length, start: vector + 4 }
}

function take(source: Source, bytes: number): void {
  source.unread -= bytes
  if (source.unread < 0) throw new RangeError('it refers to the same bytes several times')
}

/** The tables of a vector, one after another. */
export function* readTables(table: Table, slot: number): Generator<Table> {
  const { length, start } = readVector(table, slot, 4)
  for (let index = 0; index < length; index++) {
    take(table.source, 4)
    yield referred(table.source, start + 4 * index)
  }
}

/** Reads a vector of structs of two int64 each into one array. */
export function readPairs(table: Table, slot: number): Float64Array {
  const { length, start } = readVector(table, slot, 16)
  const numbers = new Float64Array(2 * length)
  for (let index = 0; index < numbers.length; index++)
    numbers[index] = lengthAt(table.source.view, start + 8 * index)
  return numbers
}

export function readText(table: Table, slot: number): string {
  const { length, start } = readVector(table, slot, 1)
  return length === 0 ? '' : textOf(bytesAt(table.source.view, start, length))
}

const bytesAt = ({ buffer, byteOffset }: DataView, start: number, length: number): Uint8Array =>
  new Uint8Array(buffer, byteOffset + start, length)

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** Shared memory is copied first, because browsers do not decode it. */
export const textOf = (bytes: Uint8Array): string =>
  utf8.decode(bytes.buffer instanceof ArrayBuffer ? (bytes as Uint8Array<ArrayBuffer>) : bytes.slice())
