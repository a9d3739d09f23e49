/**
 * The rows of a batch or of columns as the leaves of a tree. A leaf may hold several rows, so that the number of leaves is
 * bounded. The service, and everybody who has the request and the reply, make the same bytes (docs/receipts.md).
 */
import { CLOSE, COMMA, endOfString, MEANING, OPEN, QUOTE, SPACE } from '../json-bytes.ts'
import { canonical } from './canonical.ts'

/** Hashing more leaves would hold a thread for longer than a piece of a large request. */
const MOST_LEAVES = 1_024

export type Kind = 'number' | 'numbers' | 'text' | 'texts'

/** The first part of a leaf: which rows it holds, and how its values are to be read. */
export interface LeafHead {
  /** The number of rows of the call. */
  readonly count: number
  /** The first row of the leaf. */
  readonly first: number
  /** For a batch, the length of its calls in bytes; for columns, the kinds of the fields by name. */
  readonly request: number | Readonly<Record<string, Kind>>
  readonly result: number | Readonly<Record<string, Kind>>
  readonly rows: number
  readonly salt: string
}

export interface RowLeaf {
  /** A LeafHead as canonical JSON. */
  readonly head: string
  /** The values: those of the request, then those of the result. */
  readonly parts: readonly Uint8Array[]
}

export interface ProvenRows {
  readonly count: number
  leaf(place: LeafPlace, salt: string): RowLeaf
}

/** Rows made from a request and its reply, with the values to show: lists by name for columns, texts for a batch. */
export interface GivenRows {
  readonly rows: ProvenRows
  values(place: LeafPlace): { readonly request: unknown; readonly result: unknown }
}

/** A field of columns: numbers, or a function that gives each text printed as JSON. */
export interface ProvenColumn {
  readonly name: string
  readonly isScalar: boolean
  readonly values: Float64Array | ((row: number) => string)
}

export interface LeafPlace {
  readonly first: number
  readonly rows: number
}

/** The places of the leaves. @param count the number of rows of the call */
export function leafPlaces(count: number): LeafPlace[] {
  const each = rowsOfLeaf(count)
  return Array.from({ length: Math.ceil(count / each) }, (_, leaf) => ({
    first: leaf * each,
    rows: Math.min(each, count - leaf * each),
  }))
}

/** The number of rows in each leaf, a power of two. */
export function rowsOfLeaf(count: number): number {
  let rows = 1
  while (rows * MOST_LEAVES < count) rows *= 2
  return rows
}

/** The text whose leaf hash is the salt of a leaf. Nobody who lacks the whole result can guess the rows of other leaves. */
export const saltText = (data: string, leaf: number): string => `{"data":"${data}","leaf":${leaf}}`

const utf8 = new TextEncoder()

/** The bytes that are hashed for a leaf. */
export function leafBytes({ head, parts }: RowLeaf): Uint8Array {
  const all = [utf8.encode(head), ...parts]
  // The first byte is 0, as that of every leaf.
  const bytes = new Uint8Array(all.reduce((sum, { length }) => sum + length, 1))
  let at = 1
  for (const part of all) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

/** @param request the body of a batch, JSON in UTF-8 @param data the `data` of its reply */
export function batchRows(request: Uint8Array, data: Uint8Array): ProvenRows {
  const [calls, results] = [itemsIn(request), itemsIn(data)]
  const count = calls.starts.length
  return {
    count,
    leaf({ first, rows }, salt) {
      const [callText, resultText] = [calls, results].map(({ bytes, ends, starts }) =>
        bytes.subarray(starts[first], ends[first + rows - 1]),
      )
      return {
        head: `{"count":${count},"first":${first},"request":${callText.length},"result":${resultText.length},"rows":${rows},"salt":"${salt}"}`,
        parts: [callText, resultText],
      }
    },
  }
}

export function columnRows(
  count: number,
  request: readonly ProvenColumn[],
  result: readonly ProvenColumn[],
): ProvenRows {
  const [inputs, outputs] = [request, result].map((columns) =>
    [...columns].sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
  const kinds = `"request":${canonical(kindsOf(inputs))},"result":${canonical(kindsOf(outputs))}`
  return {
    count,
    leaf: ({ first, rows }, salt) => ({
      head: `{"count":${count},"first":${first},${kinds},"rows":${rows},"salt":"${salt}"}`,
      parts: [valuesOf([...inputs, ...outputs], first, first + rows)],
    }),
  }
}

const kindsOf = (columns: readonly ProvenColumn[]): Record<string, Kind> =>
  Object.fromEntries(
    columns.map(({ isScalar, name, values }) => {
      const kind = typeof values === 'function' ? 'text' : 'number'
      return [name, isScalar ? kind : `${kind}s`]
    }),
  )

/** The values of rows in one array, because making an array takes longer than writing the values of a row. */
export function valuesOf(columns: readonly ProvenColumn[], from: number, to: number): Uint8Array {
  const texts = columns.map(({ isScalar, values }) =>
    typeof values === 'function' ? textsOf(values, isScalar ? 0 : from, isScalar ? 1 : to) : null,
  )
  const sizes = columns.map(({ isScalar }, at) => texts[at]?.length ?? 8 * (isScalar ? 1 : to - from))
  const bytes = new Uint8Array(sizes.reduce((sum, size) => sum + size, 0))
  const view = new DataView(bytes.buffer)
  let start = 0
  for (const [at, { isScalar, values }] of columns.entries()) {
    const text = texts[at]
    if (text !== null) bytes.set(text, start)
    else if (typeof values !== 'function')
      writeNumbers(view, start, values, isScalar ? 0 : from, sizes[at] / 8)
    start += sizes[at]
  }
  return bytes
}

/** Writes little-endian doubles. Zero has no sign, and every value that is not finite becomes the same NaN. */
function writeNumbers(
  view: DataView,
  start: number,
  values: Float64Array,
  from: number,
  count: number,
): void {
  for (let place = 0; place < count; place++) {
    const value = values[from + place]
    view.setFloat64(start + 8 * place, value - value === 0 ? value + 0 : Number.NaN, true)
  }
}

function textsOf(text: (row: number) => string, from: number, to: number): Uint8Array {
  let all = ''
  for (let row = from; row < to; row++) all += text(row)
  return utf8.encode(all)
}

/** The depth of the items: in an array, which is in an object. */
const ITEMS_DEPTH = 2

/** The offsets of the items of the last array at their depth: JSON.parse takes the last of several fields with one name. */
function itemsIn(bytes: Uint8Array): { bytes: Uint8Array; starts: number[]; ends: number[] } {
  let [starts, ends]: [number[], number[]] = [[], []]
  let [depth, end] = [0, 0]
  let isBetween = true
  for (let index = 0; index < bytes.length; index++) {
    const meaning = MEANING[bytes[index]]
    if (meaning === SPACE) continue
    if (depth === ITEMS_DEPTH && !isBetween && (meaning === COMMA || meaning === CLOSE)) {
      ends.push(end)
      isBetween = true
    } else if (depth === ITEMS_DEPTH && isBetween && meaning !== CLOSE) {
      starts.push(index)
      isBetween = false
    }
    if (meaning === QUOTE) index = endOfString(bytes, index)
    else if (meaning === CLOSE) depth -= 1
    else if (meaning === OPEN) {
      depth += 1
      if (depth === ITEMS_DEPTH) [starts, ends, isBetween] = [[], [], true]
    }
    end = index + 1
  }
  return { bytes, starts, ends }
}
