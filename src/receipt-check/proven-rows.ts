/**
 * The rows of a batch or of columns as the leaves of a tree: a few rows each, so that their number is bounded. The service and
 * those who hold request and reply make the same bytes (docs/receipts.md).
 */
import { CLOSE, COMMA, endOfString, MEANING, OPEN, QUOTE, SPACE } from '../body/json-bytes.ts'
import { canonical } from './canonical.ts'

/** Hashing more of them would hold a thread for longer than a piece of a large request. */
const MOST_LEAVES = 1_024

export type Kind = 'number' | 'numbers' | 'text' | 'texts'

/** The first byte of a leaf. */
export interface LeafHead {
  /** Rows of the call. */
  readonly count: number
  readonly first: number
  /** Of a batch the bytes of its calls; of columns the kinds of the fields by name. */
  readonly request: number | Readonly<Record<string, Kind>>
  readonly result: number | Readonly<Record<string, Kind>>
  readonly rows: number
  readonly salt: string
}

/** After the head follow the values, of the request first. */
export interface RowLeaf {
  /** Canonical. */
  readonly head: string
  readonly parts: readonly Uint8Array[]
}

export interface ProvenRows {
  readonly count: number
  leaf(place: LeafPlace, salt: string): RowLeaf
}

/** Rows as those show them who hold request and reply: of columns by name, of a batch as texts. */
export interface GivenRows {
  readonly rows: ProvenRows
  values(place: LeafPlace): { readonly request: unknown; readonly result: unknown }
}

/** A field of columns: of numbers, or of texts printed as JSON. */
export interface ProvenColumn {
  readonly name: string
  readonly isScalar: boolean
  readonly values: Float64Array | ((row: number) => string)
}

export interface LeafPlace {
  readonly first: number
  readonly rows: number
}

/** The places of all leaves over so many rows. */
export function leafPlaces(count: number): LeafPlace[] {
  const each = rowsOfLeaf(count)
  return Array.from({ length: Math.ceil(count / each) }, (_, leaf) => ({
    first: leaf * each,
    rows: Math.min(each, count - leaf * each),
  }))
}

/** A power of two. */
export function rowsOfLeaf(count: number): number {
  let rows = 1
  while (rows * MOST_LEAVES < count) rows *= 2
  return rows
}

/** The salt of a leaf is the leaf hash of this; who does not know the result cannot try out the rows of other leaves. */
export const saltText = (data: string, leaf: number): string => `{"data":"${data}","leaf":${leaf}}`

const utf8 = new TextEncoder()

/** The bytes whose hash is that of the leaf. */
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

/** Texts of JSON in UTF-8: the calls of a batch, and the `data` of its reply. */
export function batchRows(request: Uint8Array, data: Uint8Array): ProvenRows {
  const [calls, results] = [itemsIn(request), itemsIn(data)]
  const count = calls.starts.length
  return {
    count,
    leaf({ first, rows }, salt) {
      const [asked, got] = [calls, results].map(({ bytes, ends, starts }) =>
        bytes.subarray(starts[first], ends[first + rows - 1]),
      )
      return {
        head: `{"count":${count},"first":${first},"request":${asked.length},"result":${got.length},"rows":${rows},"salt":"${salt}"}`,
        parts: [asked, got],
      }
    },
  }
}

export function columnRows(
  count: number,
  request: readonly ProvenColumn[],
  result: readonly ProvenColumn[],
): ProvenRows {
  const [asked, got] = [request, result].map((columns) =>
    [...columns].sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
  const kinds = `"request":${canonical(kindsOf(asked))},"result":${canonical(kindsOf(got))}`
  return {
    count,
    leaf: ({ first, rows }, salt) => ({
      head: `{"count":${count},"first":${first},${kinds},"rows":${rows},"salt":"${salt}"}`,
      parts: [valuesOf([...asked, ...got], first, first + rows)],
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

/** In one array, since each takes longer to make than the values of a row. */
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

/** As doubles, the low byte first. Zero has no sign, and all that is not finite is one NaN. */
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

/** The items of the array are in an object. */
const ITEMS_DEPTH = 2

/** Where the items of the last array at their depth are; of fields of the same name JSON takes the last. */
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
