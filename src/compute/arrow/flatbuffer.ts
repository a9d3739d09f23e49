/** Flatbuffers, the encoding of Arrow's metadata: a reader that trusts nothing, and a writer. */

/** A table at a place in a buffer. A DataView refuses every read beyond its bounds with a RangeError. */
export interface Table {
  readonly view: DataView
  readonly at: number
}

export const rootOf = (view: DataView): Table => ({ view, at: view.getUint32(0, true) })

/** The place of a field, or 0 if it is absent. */
function place({ at, view }: Table, slot: number): number {
  const vtable = at - view.getInt32(at, true)
  const entry = 4 + 2 * slot
  const offset = entry < view.getUint16(vtable, true) ? view.getUint16(vtable + entry, true) : 0
  return offset === 0 ? 0 : at + offset
}

export function readByte(table: Table, slot: number): number {
  const at = place(table, slot)
  return at === 0 ? 0 : table.view.getUint8(at)
}

export function readShort(table: Table, slot: number): number {
  const at = place(table, slot)
  return at === 0 ? 0 : table.view.getInt16(at, true)
}

export function readInt(table: Table, slot: number): number {
  const at = place(table, slot)
  return at === 0 ? 0 : table.view.getInt32(at, true)
}

/** Throws RangeError for a length that is negative or not exact as a double. */
export function readLength(table: Table, slot: number): number {
  const at = place(table, slot)
  return at === 0 ? 0 : lengthAt(table.view, at)
}

export function lengthAt(view: DataView, at: number): number {
  const length = Number(view.getBigInt64(at, true))
  if (length < 0 || !Number.isSafeInteger(length)) throw new RangeError('a length is out of range')
  return length
}

export function readTable(table: Table, slot: number): Table | null {
  const at = place(table, slot)
  return at === 0 ? null : { view: table.view, at: at + table.view.getUint32(at, true) }
}

export interface Vector {
  readonly length: number
  /** The place of the first item. */
  readonly start: number
}

/** Throws RangeError for a vector that does not fit into its buffer. @param itemBytes of each item */
export function readVector(table: Table, slot: number, itemBytes: number): Vector {
  const at = place(table, slot)
  if (at === 0) return { length: 0, start: 0 }
  const vector = at + table.view.getUint32(at, true)
  const length = table.view.getUint32(vector, true)
  if (vector + 4 + length * itemBytes > table.view.byteLength) throw new RangeError('a vector is too long')
  return { length, start: vector + 4 }
}

/** The tables of a vector, one after another. */
export function* readTables(table: Table, slot: number): Generator<Table> {
  const { length, start } = readVector(table, slot, 4)
  for (let index = 0; index < length; index++) {
    const at = start + 4 * index
    yield { view: table.view, at: at + table.view.getUint32(at, true) }
  }
}

/** Throws RangeError for more than `most` bytes, so that many fields cannot share one long text. */
export function readText(table: Table, slot: number, most: number): string {
  const { length, start } = readVector(table, slot, 1)
  if (length > most) throw new RangeError(`a text has more than ${most} bytes`)
  const { buffer, byteOffset } = table.view
  return Buffer.from(buffer as ArrayBuffer, byteOffset + start, length).toString()
}

/** A value to write: a scalar of so many bytes, a text, a table (null: an absent field), a vector of tables or of int64s. */
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

/** A buffer whose root is the table; its length is a multiple of eight. */
export function written(table: Value): Buffer {
  let bytes = Buffer.alloc(1_024)
  let end = 8
  /** Room for so many bytes whose end, or whose place behind `head` bytes, is aligned to eight. */
  const reserve = (length: number, head = 0): number => {
    const start = Math.ceil((end + head) / 8) * 8 - head
    end = start + length
    while (end + 8 > bytes.length) bytes = Buffer.concat([bytes, Buffer.alloc(bytes.length)])
    return start
  }
  const write = (value: Value): number => {
    if ('text' in value) {
      const length = Buffer.byteLength(value.text)
      const start = reserve(4 + length + 1)
      bytes.writeUInt32LE(length, start)
      bytes.write(value.text, start + 4)
      return start
    }
    if ('items' in value) {
      const start = reserve(4 + 4 * value.items.length)
      bytes.writeUInt32LE(value.items.length, start)
      for (const [index, item] of value.items.entries()) refer(start + 4 + 4 * index, write(item))
      return start
    }
    if ('pairs' in value) {
      const start = reserve(4 + 16 * value.pairs.length, 4)
      bytes.writeUInt32LE(value.pairs.length, start)
      for (const [index, pair] of value.pairs.entries())
        for (const [half, number] of pair.entries())
          bytes.writeBigInt64LE(BigInt(number), start + 4 + 16 * index + 8 * half)
      return start
    }
    if ('fields' in value) return writeTable(value.fields)
    throw new Error('A scalar has no place of its own.')
  }
  const writeTable = (fields: readonly (Value | null)[]): number => {
    const vtable = reserve(4 + 2 * fields.length)
    // Each field in eight bytes of its own, so that all are aligned.
    const table = reserve(8 + 8 * fields.length)
    bytes.writeUInt16LE(4 + 2 * fields.length, vtable)
    bytes.writeUInt16LE(8 + 8 * fields.length, vtable + 2)
    bytes.writeInt32LE(table - vtable, table)
    for (const [slot, field] of fields.entries()) {
      if (field === null) continue
      const at = table + 8 + 8 * slot
      bytes.writeUInt16LE(8 + 8 * slot, vtable + 4 + 2 * slot)
      if (!('bytes' in field)) refer(at, write(field))
      else if (field.bytes === 8) bytes.writeBigInt64LE(BigInt(field.value), at)
      else bytes.writeIntLE(field.value, at, field.bytes)
    }
    return table
  }
  const refer = (from: number, to: number): void => {
    bytes.writeUInt32LE(to - from, from)
  }
  refer(0, write(table))
  return bytes.subarray(0, Math.ceil(end / 8) * 8)
}
