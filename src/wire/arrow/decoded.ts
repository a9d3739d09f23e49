/** Reads a whole stream into lists. */

import { eachChunk, eachString, numbersOf } from './column-values.ts'
import { textOf } from './flatbuffer.ts'
import { isMissing, readStream, type Stream } from './read-stream.ts'

export type WordColumn = (string | null)[]

interface Decoded {
  readonly columns: Readonly<Record<string, Float64Array | WordColumn>>
  readonly metadata: object
}

/** Throws if the bytes are no Arrow stream. */
export function decoded(bytes: Uint8Array): Decoded {
  const stream = readStream(bytes)
  const columns = stream.fields.map(({ kind, name }, index) => [
    name,
    kind.is === 'utf8' ? words(stream, index) : doubles(stream, index),
  ])
  return { columns: Object.fromEntries(columns), metadata: JSON.parse(stream.metadata ?? '{}') }
}

/** A missing value becomes NaN. */
function doubles(stream: Stream, index: number): Float64Array {
  const values = numbersOf(stream, index, new Float64Array(stream.rows))
  eachChunk(stream, index, (chunk, from) => {
    for (let row = 0; row < chunk.rows; row++) if (isMissing(chunk, row)) values[from + row] = Number.NaN
  })
  return values
}

/** A missing value becomes null. */
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
