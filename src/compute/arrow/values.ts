/** The values of a column of an Arrow stream, over all its batches. */
import { NO_WORD } from '../columns/table.ts'
import { columnFault, type Kind, type Part, type Stream } from './read-stream.ts'

/** Numbers as doubles; integers beyond 2⁵³ are rounded. Throws Failure where the column holds no numbers. */
export function numbersOf(stream: Stream, index: number, values: Float64Array): Float64Array {
  const { dictionary, kind, name } = stream.fields[index]!
  if (kind.is === 'utf8' || kind.is === 'bool' || dictionary !== null)
    throw columnFault(name, `must be a number, but has the Arrow type ${kind.is}`)
  eachPart(stream, index, (part, from) => copyNumbers(kind, part, values, from))
  return values
}

/** A column of doubles in its place in the body; null: it is not in one piece of aligned doubles. */
export function doublesInPlace(stream: Stream, index: number): Float64Array | null {
  const { kind } = stream.fields[index]!
  const [part, ...others] = stream.parts[index]!
  if (part === undefined || others.length > 0 || kind.is !== 'float' || kind.bits !== 64) return null
  const { buffer, byteOffset } = part.data
  return byteOffset % 8 === 0 ? new Float64Array(buffer, byteOffset, part.rows) : null
}

/** Numbers and booleans; a boolean is 0 or 1. Throws Failure where the column holds strings. */
export function labelsOf(stream: Stream, index: number, values: Float64Array): Float64Array {
  if (stream.fields[index]!.kind.is !== 'bool') return numbersOf(stream, index, values)
  eachPart(stream, index, ({ data, rows }, from) => {
    for (let row = 0; row < rows; row++) values[from + row] = (data[row >> 3]! >> (row & 7)) & 1
  })
  return values
}

/** The places of strings in a list of words. Throws Failure where the column holds no strings. */
export function codesOf(
  stream: Stream,
  index: number,
  words: readonly string[],
  codes: Uint8Array,
): Uint8Array {
  const { dictionary, kind, name } = stream.fields[index]!
  if (kind.is !== 'utf8')
    throw columnFault(name, `must be one of: ${words.join(', ')}; it has the Arrow type ${kind.is}`)
  const known = words.map((word) => Buffer.from(word))
  eachPart(stream, index, (part, from) => {
    if (dictionary === null) readCodes(name, kind, part, known, codes, from)
    else {
      const ofDictionary = new Uint8Array(part.dictionary!.rows)
      readCodes(name, kind, part.dictionary!, known, ofDictionary, 0)
      const indices = copyNumbers(dictionary.index, part, new Float64Array(part.rows), 0)
      for (let row = 0; row < part.rows; row++) {
        const code = ofDictionary[indices[row]!]
        if (code === undefined) throw columnFault(`${name}/${from + row}`, 'lies outside of its dictionary')
        codes[from + row] = code
      }
    }
  })
  return codes
}

function eachPart(stream: Stream, index: number, read: (part: Part, from: number) => void): void {
  let from = 0
  for (const part of stream.parts[index]!) {
    read(part, from)
    from += part.rows
  }
}

const ARRAYS = {
  float: { 32: Float32Array, 64: Float64Array },
  signed: { 8: Int8Array, 16: Int16Array, 32: Int32Array },
  unsigned: { 8: Uint8Array, 16: Uint16Array, 32: Uint32Array },
} as const

function copyNumbers(
  kind: Extract<Kind, { is: 'int' | 'float' }>,
  { data, rows }: Part,
  values: Float64Array,
  from: number,
): Float64Array {
  const width = kind.bits / 8
  // A typed array must be aligned, as in most streams it is; the slice of a Buffer would not be a copy.
  const aligned = data.byteOffset % width === 0 ? data : new Uint8Array(data.subarray(0, width * rows))
  const place = [aligned.buffer as ArrayBuffer, aligned.byteOffset, rows] as const
  if (kind.is === 'float') values.set(new ARRAYS.float[kind.bits](...place), from)
  else if (kind.bits === 64)
    copyLongs(new Int32Array(place[0], place[1], 2 * rows), kind.isSigned, values, from)
  else values.set(new ARRAYS[kind.isSigned ? 'signed' : 'unsigned'][kind.bits](...place), from)
  return values
}

/** The high half times 2³² is exact, so that the sum is rounded once. */
function copyLongs(halves: Int32Array, isSigned: boolean, values: Float64Array, from: number): void {
  for (let row = 0; 2 * row < halves.length; row++) {
    const high = isSigned ? halves[2 * row + 1]! : halves[2 * row + 1]! >>> 0
    values[from + row] = high * 2 ** 32 + (halves[2 * row]! >>> 0)
  }
}

function readCodes(
  name: string,
  { offsetBits }: Extract<Kind, { is: 'utf8' }>,
  { data, offsets, rows }: Part,
  words: readonly Buffer[],
  codes: Uint8Array,
  from: number,
): void {
  const view = new DataView(offsets.buffer, offsets.byteOffset, offsets.length)
  const text = Buffer.from(data.buffer as ArrayBuffer, data.byteOffset, data.length)
  const offset = (row: number): number =>
    offsetBits === 32 ? view.getInt32(4 * row, true) : Number(view.getBigInt64(8 * row, true))
  for (let row = 0; row < rows; row++) {
    const start = offset(row)
    const end = offset(row + 1)
    if (start < 0 || end < start || end > text.length)
      throw columnFault(`${name}/${from + row}`, 'has text outside of its batch')
    codes[from + row] = codeAt(text, start, end, words)
  }
}

function codeAt(text: Buffer, start: number, end: number, words: readonly Buffer[]): number {
  for (let code = 0; code < words.length; code++) {
    const word = words[code]!
    if (word.length === end - start && word.compare(text, start, end) === 0) return code
  }
  return NO_WORD
}
