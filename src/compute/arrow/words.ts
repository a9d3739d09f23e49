/** The words of a column of an Arrow stream, as their places in the list of those that a field takes. */
import { columnFault } from '../../arrow/fault.ts'
import type { Stream } from '../../arrow/read-stream.ts'
import { eachString } from '../../arrow/strings.ts'
import { NO_WORD } from '../columns/table.ts'

/** Throws ArrowFault where the column holds no strings. */
export function codesOf(
  stream: Stream,
  index: number,
  words: readonly string[],
  codes: Uint8Array,
): Uint8Array {
  const { kind, name } = stream.fields[index]
  if (kind.is !== 'utf8')
    throw columnFault(name, `must be one of: ${words.join(', ')}; it has the Arrow type ${kind.is}`)
  const known = words.map((word) => Buffer.from(word))
  const codeOf = (utf8: Uint8Array, start: number, end: number): number => {
    const isHere = (word: Uint8Array) =>
      word.length === end - start && word.every((byte, index) => byte === utf8[start + index])
    const code = known.findIndex(isHere)
    return code === -1 ? NO_WORD : code
  }
  eachString(stream, index, codeOf, (code, row) => {
    codes[row] = code
  })
  return codes
}
