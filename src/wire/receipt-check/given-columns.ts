/** Makes the rows of columns from the body of a request and the data of its reply, each in JSON or Arrow. */
import { decoded } from '../arrow/decoded.ts'
import { columnRows, type GivenRows, type LeafPlace, type ProvenColumn } from './proven-rows.ts'

type Value = number | string | null
type Columns = Readonly<Record<string, Value | readonly Value[] | Float64Array>>

/** The receipt has shown that both are those of a call that was computed, so they are well-formed. */
export function givenColumns(request: Uint8Array, data: Uint8Array): GivenRows {
  const [inputs, outputs] = [columnsOf(request, true), columnsOf(data, false)]
  const [some] = Object.values(outputs) as (readonly Value[] | Float64Array)[]
  const hasFailed = (row: number): boolean => some[row] === null || Number.isNaN(some[row])
  const proven = columnRows(
    some.length,
    Object.entries(inputs).map(([name, values]) => columnOf(name, values, hasFailed)),
    Object.entries(outputs).map(([name, values]) => columnOf(name, values, hasFailed)),
  )
  const shown = (columns: Columns, { first, rows }: LeafPlace) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, values]) => [
        name,
        isList(values)
          ? Array.from(values.slice(first, first + rows), (value, place) => {
              if (typeof value === 'number') return Number.isFinite(value) ? value : null
              return hasFailed(first + place) ? null : value
            })
          : values,
      ]),
    )
  return {
    rows: proven,
    values: (place) => ({ request: shown(inputs, place), result: shown(outputs, place) }),
  }
}

const isList = (values: Columns[string]): values is readonly Value[] | Float64Array =>
  Array.isArray(values) || ArrayBuffer.isView(values)

const ARROW = 0xffffffff

/** @param isRequest whether the metadata of a stream has scalars: those of a request */
function columnsOf(bytes: Uint8Array, isRequest: boolean): Columns {
  const isArrow = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true) === ARROW
  if (!isArrow) return JSON.parse(new TextDecoder().decode(bytes)).columns
  const { columns, metadata } = decoded(bytes)
  return isRequest ? { ...metadata, ...columns } : columns
}

function columnOf(name: string, column: Columns[string], hasFailed: (row: number) => boolean): ProvenColumn {
  const isScalar = !isList(column)
  const values = isScalar ? [column] : column
  const isText = values.some((value) => typeof value === 'string')
  if (!isText)
    return {
      name,
      isScalar,
      values: Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value))),
    }
  return {
    name,
    isScalar,
    values: (row) => JSON.stringify(!isScalar && hasFailed(row) ? null : values[row]),
  }
}
