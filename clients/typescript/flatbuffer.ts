/** Flatbuffers, the encoding of the metadata in Arrow streams. */

/** A table at a place in a buffer. */
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

/** An integer, or 0 if it is absent. */
export function integer(table: Table, slot: number, bytes: 1 | 8): number {
  const at = place(table, slot)
  if (at === 0) return 0
  return bytes === 1 ? table.view.getUint8(at) : longAt(table.view, at)
}

export const longAt = (view: DataView, at: number): number => Number(view.getBigInt64(at, true))

/** The place that a field refers to: of a table, a text or a vector; 0 if it is absent. */
function target(table: Table, slot: number): number {
  const at = place(table, slot)
  return at === 0 ? 0 : at + table.view.getUint32(at, true)
}

export function inner(table: Table, slot: number): Table | null {
  const at = target(table, slot)
  return at === 0 ? null : { view: table.view, at }
}

export function text(table: Table, slot: number): string {
  const { length, start } = vector(table, slot)
  return new TextDecoder().decode(
    new Uint8Array(table.view.buffer as ArrayBuffer, table.view.byteOffset + start, length),
  )
}

/** Length and place of the first item of a vector. */
export function vector(table: Table, slot: number): { length: number; start: number } {
  const at = target(table, slot)
  return at === 0 ? { length: 0, start: 0 } : { length: table.view.getUint32(at, true), start: at + 4 }
}

export function tables(table: Table, slot: number): Table[] {
  const { length, start } = vector(table, slot)
  return Array.from({ length }, (_, index) => {
    const at = start + 4 * index
    return { view: table.view, at: at + table.view.getUint32(at, true) }
  })
}

/** A value to write: an integer from 0, a text, a table (null: an absent field), or a vector. */
export type Value =
  | { readonly bytes: 1 | 2 | 4 | 8; readonly value: number }
  | { readonly text: string }
  | { readonly fields: readonly (Value | null)[] }
  | { readonly items: readonly Value[] }
  /** Structs of two int64 each. */
  | { readonly pairs: readonly (readonly [number, number])[] }

/** A buffer whose root is the table; its length is a multiple of eight. */
export function written(root: Value): Uint8Array {
  const bytes: number[] = []
  /** Begins at a multiple of eight, or ends its head of four bytes there. */
  const reserve = (length: number, head = 0): number => {
    const start = Math.ceil((bytes.length + head) / 8) * 8 - head
    while (bytes.length < start + length) bytes.push(0)
    return start
  }
  const put = (at: number, size: number, value: number): void => {
    for (let index = 0; index < size; index++) bytes[at + index] = Math.floor(value / 256 ** index) % 256
  }
  const write = (value: Value): number => {
    if ('text' in value) {
      const utf8 = new TextEncoder().encode(value.text)
      const start = reserve(4 + utf8.length + 1)
      put(start, 4, utf8.length)
      for (const [index, byte] of utf8.entries()) bytes[start + 4 + index] = byte
      return start
    }
    if ('items' in value) {
      const start = reserve(4 + 4 * value.items.length)
      put(start, 4, value.items.length)
      for (const [index, item] of value.items.entries()) refer(start + 4 + 4 * index, write(item))
      return start
    }
    if ('pairs' in value) {
      const start = reserve(4 + 16 * value.pairs.length, 4)
      put(start, 4, value.pairs.length)
      for (const [index, number] of value.pairs.flat().entries()) put(start + 4 + 8 * index, 8, number)
      return start
    }
    if ('fields' in value) return writeTable(value.fields)
    throw new TypeError('A scalar has no place of its own.')
  }
  const writeTable = (fields: readonly (Value | null)[]): number => {
    const vtable = reserve(4 + 2 * fields.length)
    // Each field in eight bytes of its own, so that all are aligned.
    const table = reserve(8 + 8 * fields.length)
    put(vtable, 2, 4 + 2 * fields.length)
    put(vtable + 2, 2, 8 + 8 * fields.length)
    put(table, 4, table - vtable)
    for (const [slot, field] of fields.entries()) {
      if (field === null) continue
      const at = table + 8 + 8 * slot
      put(vtable + 4 + 2 * slot, 2, 8 + 8 * slot)
      if ('bytes' in field) put(at, field.bytes, field.value)
      else refer(at, write(field))
    }
    return table
  }
  const refer = (from: number, to: number): void => put(from, 4, to - from)
  reserve(4)
  refer(0, write(root))
  reserve(0)
  while (bytes.length % 8 > 0) bytes.push(0)
  return Uint8Array.from(bytes)
}
