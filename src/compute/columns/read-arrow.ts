/** Reads the Arrow body of a columns request into a table. */
import type { TObject } from 'typebox'
import { columnFault } from '../../arrow/fault.ts'
import { doublesInPlace, numbersOf } from '../../arrow/numbers.ts'
import { namesAtFault, readArrowBody } from '../arrow/read-body.ts'
import { codesOf } from '../arrow/words.ts'
import { refuseNames, scalar } from './read-json.ts'
import { type Field, isShared, type Room, SHARED_ROWS, type Table } from './table.ts'

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
  if (names.length > 0 && rows === 0)
    throw columnFault(names[0], 'must not be empty: it needs at least 1 item')
  // By all threads that will compute the rows.
  const isReadable = rows < SHARED_ROWS || isShared(bytes.buffer)
  const columns = fields.map((field) => {
    const index = names.indexOf(field.name)
    if (index === -1) return scalar(field, scalars[field.name])
    if (field.words !== null)
      return { values: codesOf(stream, index, field.words, room.codes(rows)), isScalar: false }
    const inPlace = isReadable ? doublesInPlace(stream, index) : null
    return { values: inPlace ?? numbersOf(stream, index, room.doubles(rows)), isScalar: false }
  })
  return { rows: names.length === 0 ? 1 : rows, columns }
}
