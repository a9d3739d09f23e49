/** Reads the JSON body of a columns request into a table. */

import type { TObject } from 'typebox'
import { invalidInput } from '../../base/errors/requests.ts'
import type { Detail } from '../../base/failure.ts'
import { Type } from '../../base/type.ts'
import { nameFaults } from '../body/faults.ts'
import { parse } from '../body/parse.ts'
import { percentageHint } from '../body/suggestions.ts'
import { validator } from '../body/validate.ts'
import { type Column, codeOf, codes, doubles, type Field, missingIn, NO_ROWS, type Table } from './table.ts'

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
    return column(field, value)
  })
  return { rows, columns }
}

/** @param faults of the names of columns */
export function refuseNames(faults: readonly Detail[]): void {
  if (faults.length === 0) return
  throw invalidInput(faults.map(({ message, path }) => ({ path: `/columns${path}`, message })))
}

/** A column of one value for all rows; `sent` undefined: the default. */
export function scalar(field: Field, sent: unknown): Column {
  const value = sent === undefined ? field.rules.default : sent
  if (typeof value !== typeOf(field)) throw fault(field.name, mustBe(field, value))
  const { words } = field
  const unknown: string[] = []
  const values =
    words === null ? Float64Array.of(value as number) : Uint8Array.of(codeOf(words, value as string, unknown))
  return { values, isScalar: true, unknown }
}

function column(field: Field, items: readonly unknown[]): Column {
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
