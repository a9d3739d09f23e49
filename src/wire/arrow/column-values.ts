/** Reads the values of a column of an Arrow stream from all its batches. In the place of a missing number is any number. */
import { columnFault } from './format.ts'
import { CONTENT, type Kind, type StreamField } from './read-schema.ts'
import { type Chunk, isMissing, missingRow, type Stream } from './read-stream.ts'

/** Copies a column into `values` as doubles; integers beyond 2⁵³ are rounded. Throws ArrowFault if it holds no numbers. */
export function numbersOf(stream: Stream, index: number, values: Float64Array): Float64Array {
  const { dictionary, kind, name } = stream.fields[index]
  if ((kind.is !== 'int' && kind.is !== 'float') || dictionary !== null)
    throw columnFault(name, `must be a number, but the column holds ${CONTENT[kind.is]}`)
  eachChunk(stream, index, (chunk, from) => copyNumbers(kind, chunk, values, from))
  return values
}

/** Copies a column of dates or timestamps into `values` as days from 1970 on. Throws ArrowFault if it holds others. */
export function daysOf(stream: Stream, index: number, values: Float64Array): Float64Array {
  const { kind, name } = stream.fields[index]
  if (kind.is !== 'date')
    throw columnFault(name, `must be a date or a timestamp, but the column holds ${CONTENT[kind.is]}`)
  eachChunk(stream, index, (chunk, from) =>
    copyNumbers({ is: 'int', bits: kind.bits, isSigned: true }, chunk, values, from),
  )
  if (kind.perDay > 1) for (let row = 0; row < values.length; row++) values[row] /= kind.perDay
  return values
}

/** A column of doubles without a copy; null: it is not in one batch, not of aligned doubles, or has a missing value. */
export function doublesInPlace({ chunks, fields }: Stream, index: number): Float64Array | null {
  const { kind } = fields[index]
  const [chunk, ...others] = chunks[index]
  if (chunk === undefined || others.length > 0 || kind.is !== 'float' || kind.bits !== 64) return null
  if (missingRow(chunk) !== null) return null
  const { buffer, byteOffset } = chunk.data
  return byteOffset % 8 === 0 ? new Float64Array(buffer, byteOffset, chunk.rows) : null
}

/** A column of numbers, or of booleans as 0 and 1, as a list. Throws ArrowFault if the column holds strings. */
export function labelsOf(stream: Stream, index: number): number[] {
  const list = new Array<number>(stream.rows)
  if (stream.fields[index].kind.is === 'bool')
    eachChunk(stream, index, ({ data, rows }, from) => {
      for (let row = 0; row < rows; row++) list[from + row] = (data[row >> 3] >> (row & 7)) & 1
    })
  else {
    const values = numbersOf(stream, index, new Float64Array(stream.rows))
    // The loop is six times as fast as Array.from.
    for (let row = 0; row < values.length; row++) list[row] = values[row]
  }
  return list
}

/** Calls `read` with each chunk of a column and the row at which it begins. */
export function eachChunk(stream: Stream, index: number, read: (chunk: Chunk, from: number) => void): void {
  let from = 0
  for (const chunk of stream.chunks[index]) {
    read(chunk, from)
    from += chunk.rows
  }
}

/** Calls `use` with each row whose value is missing. */
export function eachMissing(stream: Stream, index: number, use: (row: number) => void): void {
  eachChunk(stream, index, (chunk, from) => {
    for (let row = missingRow(chunk); row !== null; row = missingRow(chunk, row + 1)) use(from + row)
  })
}

const ARRAYS = {
  float: { 32: Float32Array, 64: Float64Array },
  signed: { 8: Int8Array, 16: Int16Array, 32: Int32Array },
  unsigned: { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array },
} as const

/** Copies a chunk into `values`, beginning at `from`. */
function copyNumbers(
  kind: Extract<Kind, { is: 'int' | 'float' }>,
  { data, rows }: Chunk,
  values: Float64Array,
  from: number,
): Float64Array {
  const width = kind.bits / 8
  // A typed array must be aligned. Data that is not, which is rare, is copied; `slice` of a Buffer would not copy it.
  const aligned = data.byteOffset % width === 0 ? data : new Uint8Array(data.subarray(0, width * rows))
  const place = [aligned.buffer as ArrayBuffer, aligned.byteOffset, rows] as const
  if (kind.is === 'float') values.set(new ARRAYS.float[kind.bits](...place), from)
  else if (kind.bits === 64)
    copyLongs(new Int32Array(place[0], place[1], 2 * rows), kind.isSigned, values, from)
  else values.set(new ARRAYS[kind.isSigned ? 'signed' : 'unsigned'][kind.bits](...place), from)
  return values
}

/** Reads 64-bit integers as two halves: the high half times 2³² is exact, so the sum is rounded once. */
function copyLongs(halves: Int32Array, isSigned: boolean, values: Float64Array, from: number): void {
  for (let row = 0; 2 * row < halves.length; row++) {
    const high = isSigned ? halves[2 * row + 1] : halves[2 * row + 1] >>> 0
    values[from + row] = high * 2 ** 32 + (halves[2 * row] >>> 0)
  }
}

/**
 * Calls `use` with the converted string of each row that has one. The strings of a dictionary are converted once for all
 * batches. Throws ArrowFault if the column holds no strings, or a row refers to one outside of its batch.
 * @param convert converts the UTF-8 from `start` to below `end`
 */
export function eachString<Item>(
  stream: Stream,
  index: number,
  convert: (utf8: Uint8Array, start: number, end: number) => Item,
  use: (item: Item, row: number) => void,
): void {
  const field = stream.fields[index]
  const { dictionary, name } = field
  let converted: { readonly values: Chunk; readonly items: readonly Item[] } | null = null
  eachChunk(stream, index, (chunk, from) => {
    if (dictionary === null) {
      eachOfChunk(field, chunk, from, (start, end, row) => use(convert(chunk.data, start, end), row))
      return
    }
    const values = chunk.dictionary!
    if (converted?.values !== values) {
      const items: Item[] = []
      eachOfChunk(field, values, 0, (start, end) => items.push(convert(values.data, start, end)))
      converted = { values, items }
    }
    const { items } = converted
    eachIndex(dictionary.index, chunk, (index, row) => {
      if (isMissing(chunk, row)) return
      const item = items[index]
      if (item === undefined) throw columnFault(`${name}/${from + row}`, 'lies outside of its dictionary')
      use(item, from + row)
    })
  })
}

/** Indices are read in blocks, which take little memory. */
const BLOCK = 65_536

function eachIndex(
  kind: Extract<Kind, { is: 'int' }>,
  chunk: Chunk,
  use: (index: number, row: number) => void,
): void {
  const block = new Float64Array(Math.min(BLOCK, chunk.rows))
  for (let from = 0; from < chunk.rows; from += BLOCK) {
    const rows = Math.min(BLOCK, chunk.rows - from)
    const data = chunk.data.subarray((from * kind.bits) / 8)
    copyNumbers(kind, { ...chunk, data, rows }, block, 0)
    for (let row = 0; row < rows; row++) use(block[row], from + row)
  }
}

function eachOfChunk(
  { kind, name }: StreamField,
  chunk: Chunk,
  from: number,
  use: (start: number, end: number, row: number) => void,
): void {
  const { data, offsets, rows } = chunk
  if (kind.is !== 'utf8') throw columnFault(name, `must be text, but the column holds ${CONTENT[kind.is]}`)
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.length)
  const offset = (row: number): number =>
    kind.offsetBits === 32 ? view.getInt32(4 * row, true) : Number(view.getBigInt64(8 * row, true))
  // A text begins where the one before it ends.
  for (let row = 0, start = rows > 0 ? offset(0) : 0, end = 0; row < rows; row++, start = end) {
    end = offset(row + 1)
    if (start < 0 || end < start || end > data.length)
      throw columnFault(`${name}/${from + row}`, 'has text outside of its batch')
    if (!isMissing(chunk, row)) use(start, end, from + row)
  }
}

/** A random start of the hash, so that no client can choose values that share slots. */
const SEED = Math.floor(Math.random() * 2 ** 32)
const PRIME = 0x01000193
const MIX = 0x85ebca6b

export interface ValueNumbers {
  /** The number of the value in these bytes, from 0 on. */
  numberOf(bytes: Uint8Array, start: number, end: number): number
  /** The bytes of the value with a number. */
  bytesOf(number: number): Uint8Array
  /** The numbers given so far. */
  readonly count: number
}

const [FIRST_BITS, MOST_FILLED, GROWTH] = [10, 0.5, 4]

/**
 * An open hash table that grows with its values, so that a few values of many rows stay in the caches of the processor; the system
 * provides the other memory only as values are added. All bytes must be of one buffer.
 * @param most the values that may be added
 */
export function valueNumbers(buffer: ArrayBufferLike, most: number): ValueNumbers {
  const all = new Uint8Array(buffer)
  const starts = new Uint32Array(most)
  const lengths = new Uint32Array(most)
  let count = 0
  /** Pairs: the hash of a value, and its number from 1 on; 0: free. */
  let slots = new Uint32Array(2 ** (FIRST_BITS + 1))
  let last = 2 ** FIRST_BITS - 1

  const isSame = (number: number, start: number, length: number): boolean => {
    if (lengths[number] !== length) return false
    const other = starts[number]
    for (let i = 0; i < length; i++) if (all[other + i] !== all[start + i]) return false
    return true
  }

  const grow = (): void => {
    const before = slots
    slots = new Uint32Array(GROWTH * before.length)
    last = slots.length / 2 - 1
    for (let at = 0; at < before.length; at += 2) {
      if (before[at + 1] === 0) continue
      let slot = before[at] & last
      while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & last
      slots[2 * slot] = before[at]
      slots[2 * slot + 1] = before[at + 1]
    }
  }

  return {
    numberOf(bytes, from, to) {
      const start = bytes.byteOffset + from
      const length = to - from
      // FNV-1a, and a last step that spreads all bits to the low ones.
      let hash = SEED
      for (let i = start; i < start + length; i++) hash = Math.imul(hash ^ all[i], PRIME)
      hash = Math.imul(hash ^ (hash >>> 15), MIX)
      hash = (hash ^ (hash >>> 13)) >>> 0
      for (let slot = hash & last; ; slot = (slot + 1) & last) {
        const known = slots[2 * slot + 1] - 1
        if (known === -1) {
          slots[2 * slot] = hash
          slots[2 * slot + 1] = count + 1
          starts[count] = start
          lengths[count] = length
          if (count > MOST_FILLED * last) grow()
          return count++
        }
        if (slots[2 * slot] === hash && isSame(known, start, length)) return known
      }
    },
    bytesOf: (number) => all.subarray(starts[number], starts[number] + lengths[number]),
    get count() {
      return count
    },
  }
}
