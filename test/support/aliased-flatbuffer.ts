/** Flatbuffers as an attacker writes them: a value that occurs several times is written once, and referred to every time. */
import type { Value } from '../../src/wire/arrow/write-stream.ts'

export function aliased(root: Value): Uint8Array {
  const order = parentsFirst(root)
  const places = new Map<Value, number>()
  let end = 8
  for (const value of order) {
    // A table stands behind its vtable; the items of structs are aligned.
    const [before, length] = sizeOf(value)
    const at = Math.ceil((end + before) / 8) * 8 + ('pairs' in value ? 4 : 0)
    places.set(value, at)
    end = at + length
  }
  const view = new DataView(new ArrayBuffer(Math.ceil(end / 8) * 8))
  view.setUint32(0, places.get(root)!, true)
  for (const [value, at] of places) put(view, value, at, (other) => places.get(other)!)
  return new Uint8Array(view.buffer)
}

const isScalar = (value: Value): value is Extract<Value, { bytes: number }> => 'bytes' in value

function childrenOf(value: Value): Value[] {
  if ('items' in value) return [...value.items]
  if ('fields' in value) return value.fields.filter((field) => field !== null && !isScalar(field)) as Value[]
  return []
}

/** The values in an order in which each stands behind all that refer to it, because offsets point forward only. */
function parentsFirst(root: Value): Value[] {
  const seen = new Set<Value>()
  const after: Value[] = []
  const visit = (value: Value): void => {
    if (seen.has(value)) return
    seen.add(value)
    for (const child of childrenOf(value)) visit(child)
    after.push(value)
  }
  visit(root)
  return after.reverse()
}

/** The bytes that a value takes before the place to which offsets point, and from there on. */
function sizeOf(value: Value): [number, number] {
  if ('text' in value) return [0, 4 + Buffer.byteLength(value.text)]
  if ('items' in value) return [0, 4 + 4 * value.items.length]
  if ('pairs' in value) return [0, 4 + 16 * value.pairs.length]
  const fields = 'fields' in value ? value.fields.length : 0
  return [4 + 2 * fields, 4 + 8 * fields + 4]
}

function put(view: DataView, value: Value, at: number, placeOf: (value: Value) => number): void {
  if ('text' in value) {
    const text = Buffer.from(value.text)
    view.setUint32(at, text.length, true)
    new Uint8Array(view.buffer).set(text, at + 4)
  } else if ('items' in value) {
    view.setUint32(at, value.items.length, true)
    for (const [index, item] of value.items.entries()) {
      const from = at + 4 + 4 * index
      view.setUint32(from, placeOf(item) - from, true)
    }
  } else if ('pairs' in value) {
    view.setUint32(at, value.pairs.length, true)
    for (const [index, number] of value.pairs.flat().entries())
      view.setBigInt64(at + 4 + 8 * index, BigInt(number), true)
  } else if ('fields' in value) putTable(view, value.fields, at, placeOf)
}

function putTable(
  view: DataView,
  fields: readonly (Value | null)[],
  at: number,
  placeOf: (value: Value) => number,
): void {
  const vtable = at - (4 + 2 * fields.length)
  view.setUint16(vtable, 4 + 2 * fields.length, true)
  view.setUint16(vtable + 2, 8 + 8 * fields.length, true)
  view.setInt32(at, at - vtable, true)
  for (const [slot, field] of fields.entries()) {
    if (field === null) continue
    const place = at + 8 + 8 * slot
    view.setUint16(vtable + 4 + 2 * slot, 8 + 8 * slot, true)
    if (!isScalar(field)) view.setUint32(place, placeOf(field) - place, true)
    else if (field.bytes === 8) view.setBigInt64(place, BigInt(field.value), true)
    else if (field.bytes === 4) view.setInt32(place, field.value, true)
    else if (field.bytes === 2) view.setInt16(place, field.value, true)
    else view.setUint8(place, field.value)
  }
}
