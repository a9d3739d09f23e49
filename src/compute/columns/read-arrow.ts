/** Reads the Arrow body of a columns request into a table. */
import type { TObject } from 'typebox'
import { scalarsOf } from '../arrow/array-operation.ts'
import { columnFault, readStream } from '../arrow/read-stream.ts'
import { codesOf, numbersOf } from '../arrow/values.ts'
import { refuseNames, scalar } from './read-json.ts'
import { codes, doubles, type Field, type Table } from './table.ts'

/** Throws Failure `invalid_input` with the column and row at fault. */
export function readArrow(
  bytes: Uint8Array,
  schema: TObject,
  fields: readonly Field[],
  maxRows: number,
): Table {
  const stream = readStream(bytes, () => maxRows)
  const names = stream.fields.map(({ name }) => name)
  const scalars = scalarsOf(stream)
  refuseNames(schema, { ...scalars, ...Object.fromEntries(names.map((name) => [name, 0])) })
  const twice = names.find((name) => Object.hasOwn(scalars, name))
  if (twice !== undefined) throw columnFault(twice, 'is given twice: as a column and in the metadata')
  const { rows } = stream
  if (names.length > 0 && rows === 0)
    throw columnFault(names[0]!, 'must not be empty: it needs at least 1 item')
  const columns = fields.map((field) => {
    const index = names.indexOf(field.name)
    if (index === -1) return scalar(field, scalars[field.name])
    const values =
      field.words === null
        ? numbersOf(stream, index, doubles(rows))
        : codesOf(stream, index, field.words, codes(rows))
    return { values, isScalar: false }
  })
  return { rows: names.length === 0 ? 1 : rows, columns }
}
