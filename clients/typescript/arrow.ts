/** Columns as Arrow streams: numbers as float64, strings as dictionaries. */

import { textOf } from '../../src/arrow/flatbuffer.ts'
import { eachChunk, numbersOf } from '../../src/arrow/numbers.ts'
import { isMissing, readStream, type Stream } from '../../src/arrow/read-stream.ts'
import { eachString } from '../../src/arrow/strings.ts'
import { joined, type WrittenColumn, writeStream } from '../../src/arrow/write-stream.ts'
import type { NumberArray } from './numbers.ts'

export type WordColumn = (string | null)[]

/**
 * The bytes of a stream; null where a list holds something else than numbers, or than strings.
 * @param lists of the same length
 * @param scalars of the other fields
 */
export function encoded(
  lists: readonly (readonly [string, readonly unknown[] | NumberArray])[],
  scalars: object,
): Uint8Array | null {
  const columns = lists.map(([name, list]) => columnOf(name, list))
  if (!columns.every((column) => column !== null)) return null
  return joined(writeStream(columns, lists[0]?.[1].length ?? 0, [], scalars))
}

/** null: the service explains what is wrong with the list. */
function columnOf(name: string, list: readonly unknown[] | NumberArray): WrittenColumn | null {
  if (ArrayBuffer.isView(list)) return { name, type: 'float64', values: list }
  if (list.every((value) => typeof value === 'number')) return { name, type: 'float64', values: list }
  if (!list.every((value) => typeof value === 'string')) return null
  const places = new Map([...new Set(list)].map((word, place) => [word, place]))
  return { name, type: { words: [...places.keys()] }, values: list.map((word) => places.get(word) ?? 0) }
}

export interface Decoded {
  readonly columns: Readonly<Record<string, Float64Array | WordColumn>>
  readonly metadata: object
}

/** Reads a stream of the service. Throws where it is none. */
export function decoded(bytes: Uint8Array): Decoded {
  const stream = readStream(bytes)
  const columns = stream.fields.map(({ kind, name }, index) => [
    name,
    kind.is === 'utf8' ? words(stream, index) : doubles(stream, index),
  ])
  return { columns: Object.fromEntries(columns), metadata: JSON.parse(stream.metadata ?? '{}') }
}

/** NaN in the rows without a value. */
function doubles(stream: Stream, index: number): Float64Array {
  const values = numbersOf(stream, index, new Float64Array(stream.rows))
  eachChunk(stream, index, (chunk, from) => {
    for (let row = 0; row < chunk.rows; row++) if (isMissing(chunk, row)) values[from + row] = Number.NaN
  })
  return values
}

/** null in the rows without a value. */
function words(stream: Stream, index: number): WordColumn {
  const values: WordColumn = new Array(stream.rows).fill(null)
  eachString(
    stream,
    index,
    (utf8, start, end) => textOf(utf8.subarray(start, end)),
    (word, row) => {
      values[row] = word
    },
  )
  return values
}
