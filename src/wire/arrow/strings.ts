/** The strings of a column of an Arrow stream, over all its batches. */
import { columnFault } from './format.ts'
import { copyNumbers, eachChunk } from './numbers.ts'
import { CONTENT, type StreamField } from './read-schema.ts'
import { type Chunk, isMissing, type Stream } from './read-stream.ts'

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
    const indices = copyNumbers(dictionary.index, chunk, new Float64Array(chunk.rows), 0)
    for (let row = 0; row < indices.length; row++) {
      if (isMissing(chunk, row)) continue
      const item = converted.items[indices[row]]
      if (item === undefined) throw columnFault(`${name}/${from + row}`, 'lies outside of its dictionary')
      use(item, from + row)
    }
  })
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
  for (let row = 0; row < rows; row++) {
    const [start, end] = [offset(row), offset(row + 1)]
    if (start < 0 || end < start || end > data.length)
      throw columnFault(`${name}/${from + row}`, 'has text outside of its batch')
    if (!isMissing(chunk, row)) use(start, end, from + row)
  }
}
