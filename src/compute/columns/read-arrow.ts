/** Reads the Arrow body of a columns request into a table. */
import type { TObject } from 'typebox'
import { columnFault } from '../../wire/arrow/format.ts'
import { doublesInPlace, eachMissing, numbersOf } from '../../wire/arrow/numbers.ts'
import { CONTENT } from '../../wire/arrow/read-schema.ts'
import type { Stream } from '../../wire/arrow/read-stream.ts'
import { eachString } from '../../wire/arrow/strings.ts'
import { namesAtFault, readArrowBody } from '../arrow/read-body.ts'
import { refuseNames, scalar } from './read-json.ts'
import {
  type Column,
  codeOfUnknown,
  type Field,
  isShared,
  missingIn,
  NO_ROWS,
  type Room,
  SHARED_ROWS,
  type Table,
} from './table.ts'

/** Throws ArrowFault or Failure `invalid_input` with the column and row at fault. */
export function readArrow(
  bytes: Uint8Array,
  room: Room,
  schema: TObject,
  fields: readonly Field[],
  maxRows: number,
): Table {
  const body = readArrowBody(bytes, () => maxRows)
  const { names, scalars, stream } = body
  refuseNames(namesAtFault(body, schema))
  const { rows } = stream
  if (names.length > 0 && rows === 0) throw columnFault(names[0], NO_ROWS)
  // Whether all threads that will compute the rows can read the body.
  const isReadable = rows < SHARED_ROWS || isShared(bytes.buffer)
  const columns = fields.map((field) => {
    const index = names.indexOf(field.name)
    if (index === -1) return scalar(field, scalars[field.name])
    return column(stream, index, field, room, isReadable)
  })
  return { rows: names.length === 0 ? 1 : rows, columns }
}

/** Reads a column, without a copy if the body allows it; a null becomes the item that stands for a missing value. */
function column(stream: Stream, index: number, field: Field, room: Room, isReadable: boolean): Column {
  const { rows } = stream
  const inPlace = isReadable && field.words === null ? doublesInPlace(stream, index) : null
  const unknown: string[] = []
  if (inPlace !== null) return { values: inPlace, isScalar: false, unknown }
  const values =
    field.words === null
      ? numbersOf(stream, index, room.doubles(rows))
      : codesOf(stream, index, field.words, unknown, room.codes(rows))
  const missing = missingIn(field)
  eachMissing(stream, index, (row) => {
    values[row] = missing
  })
  return { values, isScalar: false, unknown }
}

/** Throws ArrowFault where the column holds no strings. */
function codesOf(
  stream: Stream,
  index: number,
  words: readonly string[],
  unknown: string[],
  codes: Uint8Array,
): Uint8Array {
  const { kind, name } = stream.fields[index]
  if (kind.is !== 'utf8')
    throw columnFault(name, `must be one of: ${words.join(', ')}; the column holds ${CONTENT[kind.is]}`)
  const known = words.map((word) => Buffer.from(word))
  const codeOf = (utf8: Uint8Array, start: number, end: number): number => {
    const isHere = (word: Uint8Array) =>
      word.length === end - start && word.every((byte, index) => byte === utf8[start + index])
    const code = known.findIndex(isHere)
    if (code !== -1) return code
    return codeOfUnknown(words, Buffer.from(utf8.subarray(start, end)).toString(), unknown)
  }
  eachString(stream, index, codeOf, (code, row) => {
    codes[row] = code
  })
  return codes
}
