/** The rows of columns from the body of a request and the result of its reply, in JSON or Arrow. */
import { decoded } from '../arrow/decoded.ts'
import { columnRows, type GivenRows, type LeafPlace, type ProvenColumn } from './proven-rows.ts'

type Value = number | string | null
type Columns = Readonly<Record<string, Value | readonly Value[] | Float64Array>>

/** Of both sides, which the receipts tells to be those of a call that was computed. */
export function givenColumns(request: Uint8Array, data: Uint8Array): GivenRows {
  const [asked, got] = [columnsOf(request, true), columnsOf(data, false)]
  const [some] = Object.values(got) as (readonly Value[] | Float64Array)[]
  const hasFailed = (row: number): boolean => some[row] === null || Number.isNaN(some[row])
  const proven = columnRows(
    some.length,
    Object.entries(asked).map(([name, values]) => columnOf(name, values, hasFailed)),
    Object.entries(got).map(([name, values]) => columnOf(name, values, hasFailed)),
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
    values: (place) => ({ request: shown(asked, place), result: shown(got, place) }),
  }
}

const isList = (values: Columns[string]): values is readonly Value[] | Float64Array =>
  Array.isArray(values) || ArrayBuffer.isView(values)

const ARROW = 0xffffffff

/** @param isRequest whose scalars are in the metadata of a stream */
function columnsOf(bytes: Uint8Array, isRequest: boolean): Columns {
  const isArrow = new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(0, true) === ARROW
  if (!isArrow) return JSON.parse(new TextDecoder().decode(bytes)).columns
  const { columns, metadata } = decoded(bytes)
  return isRequest ? { ...metadata, ...columns } : columns
}

function columnOf(name: string, given: Columns[string], hasFailed: (row: number) => boolean): ProvenColumn {
  const isScalar = !isList(given)
  const values = isScalar ? [given] : given
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
