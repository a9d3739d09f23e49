/** Writes flatbuffers, the encoding of Arrow's metadata. */

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
