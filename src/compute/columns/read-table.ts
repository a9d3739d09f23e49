/** Reads the body of a columns request, which is JSON or an Arrow stream, into a table. */

import type { TObject } from 'typebox'
import { invalidInput } from '../../base/errors/requests.ts'
import type { Detail } from '../../base/failure.ts'
import { Type } from '../../base/type.ts'
import { doublesInPlace, eachMissing, eachString, numbersOf } from '../../wire/arrow/column-values.ts'
import { columnFault } from '../../wire/arrow/format.ts'
import { CONTENT } from '../../wire/arrow/read-schema.ts'
import type { Stream } from '../../wire/arrow/read-stream.ts'
import { namesAtFault, readArrowBody } from '../array-operation.ts'
import { nameFaults } from '../body/faults.ts'
import { parse } from '../body/parse.ts'
import { percentageHint } from '../body/suggestions.ts'
import { validator } from '../body/validate.ts'
import {
  type Column,
  codeOf,
  codeOfUnknown,
  codes,
  doubles,
  type Field,
  isShared,
  missingIn,
  NO_ROWS,
  type Room,
  SHARED_ROWS,
  type Table,
} from './table.ts'

const body = validator<{ readonly columns: Fields }>(
  Type.Object({ columns: Type.Object({}) }, { additionalProperties: false }),
)

type Fields = Readonly<Record<string, unknown>>

/** Throws Failure `invalid_json`, or `invalid_input` with the column and row at fault. */
export function readJson(
  bytes: Uint8Array,
  schema: TObject,
  fields: readonly Field[],
  maxRows: number,
): Table {
  const { columns: sent } = body.validate(bytes.length === 0 ? {} : parse(bytes))
  refuseNames(nameFaults(schema, sent))
  const first = fields.find(({ name }) => Array.isArray(sent[name]))
  const rows = first === undefined ? 1 : (sent[first.name] as unknown[]).length
  if (rows > maxRows)
    throw fault(first!.name, `has ${rows} rows; at most ${maxRows} are allowed: send them in parts`)
  const columns = fields.map((field) => {
    const value = sent[field.name]
    if (!Array.isArray(value)) return scalar(field, value)
    if (value.length === 0) throw fault(field.name, NO_ROWS)
    if (value.length !== rows)
      throw fault(field.name, `has ${value.length} rows, but ${first!.name} has ${rows}`)
    return jsonColumn(field, value)
  })
  return { rows, columns }
}

/** @param faults of the names of columns */
function refuseNames(faults: readonly Detail[]): void {
  if (faults.length === 0) return
  throw invalidInput(faults.map(({ message, path }) => ({ path: `/columns${path}`, message })))
}

/** A column of one value for all rows; `sent` undefined: the default. */
function scalar(field: Field, sent: unknown): Column {
  const value = sent === undefined ? field.rules.default : sent
  if (typeof value !== typeOf(field)) throw fault(field.name, mustBe(field, value))
  const { words } = field
  const unknown: string[] = []
  const values =
    words === null ? Float64Array.of(value as number) : Uint8Array.of(codeOf(words, value as string, unknown))
  return { values, isScalar: true, unknown }
}

function jsonColumn(field: Field, items: readonly unknown[]): Column {
  const { words } = field
  const values = words === null ? doubles(items.length) : codes(items.length)
  const type = typeOf(field)
  const missing = missingIn(field)
  const unknown: string[] = []
  for (let row = 0; row < values.length; row++) {
    const value = items[row]
    if (value === null) {
      values[row] = missing
      continue
    }
    if (typeof value !== type) throw fault(`${field.name}/${row}`, mustBe(field, value))
    values[row] = words === null ? (value as number) : codeOf(words, value as string, unknown)
  }
  return { values, isScalar: false, unknown }
}

const typeOf = ({ words }: Field): 'number' | 'string' => (words === null ? 'number' : 'string')

/** The messages are those of a single call. */
function mustBe({ rules, words }: Field, value: unknown): string {
  if (words !== null) return `must be one of: ${words.join(', ')}`
  return `${rules.type === 'integer' ? 'must be an integer (a whole number)' : 'must be a number'}${percentageHint(value)}`
}

const fault = (place: string, message: string) => invalidInput([{ path: `/columns/${place}`, message }])

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
    return arrowColumn(stream, index, field, room, isReadable)
  })
  return { rows: names.length === 0 ? 1 : rows, columns }
}

/** Reads a column, without a copy if the body allows it; a null becomes the item that stands for a missing value. */
function arrowColumn(stream: Stream, index: number, field: Field, room: Room, isReadable: boolean): Column {
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
