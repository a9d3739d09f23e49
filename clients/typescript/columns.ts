/** Many rows of one computation, as columns: numbers go in as lists or typed arrays and come out as typed arrays. */
import { ownOptions, pathOf, type Send } from './batch.ts'
import { inChunks } from './bulk.ts'
import { type Detail, InvalidInputError } from './errors.ts'
import type { NumberArray } from './numbers.ts'
import type { BulkOptions } from './options.ts'
import type { ColumnComputations } from './types.ts'

/** Each field is a value for all rows, or has one value per row. */
export type ColumnsInput<Name extends keyof ColumnComputations> = {
  readonly [Field in keyof ColumnComputations[Name]['input']]: Column<
    ColumnComputations[Name]['input'][Field]
  >
}

type Column<Value> =
  | Value
  | readonly Exclude<Value, undefined>[]
  | (number extends Value ? NumberArray : never)

export interface RowError {
  readonly row: number
  readonly message: string
  readonly details: readonly Detail[]
}

export interface ColumnsResult<Name extends keyof ColumnComputations> {
  /** Numbers as Float64Array, with NaN in a row that failed; words as a list, with null there. */
  readonly columns: {
    readonly [Field in keyof ColumnComputations[Name]['data']]: number extends ColumnComputations[Name]['data'][Field]
      ? Float64Array
      : (ColumnComputations[Name]['data'][Field] | null)[]
  }
  readonly rows: number
  /** Rows that were computed and charged. */
  readonly succeeded: number
  readonly failed: number
  /** The first failed rows of each request, at most 1,000. */
  readonly errors: readonly RowError[]
}

const ROWS = 50_000

type WireValue = number | string | null

interface WireColumns {
  readonly columns: Readonly<Record<string, readonly WireValue[]>>
  readonly rows: number
  readonly succeeded: number
  readonly failed: number
  readonly errors: readonly RowError[]
}

/** A request of which every row failed is refused as a whole. */
type Part = { readonly start: number } & (
  | WireColumns
  | { readonly refusal: InvalidInputError; readonly rows: number }
)

export async function sendColumns<Name extends keyof ColumnComputations>(
  send: Send,
  name: Name,
  input: ColumnsInput<Name>,
  options: BulkOptions,
): Promise<ColumnsResult<Name>> {
  const path = `${pathOf(name)}/columns`
  const fields = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined)
  const rows = rowsOf(fields)
  const parts = await inChunks(rows, ROWS, options, async ({ end, idempotencyKey, start }): Promise<Part> => {
    const columns = Object.fromEntries(fields.map(([field, value]) => [field, sliced(value, start, end)]))
    try {
      const { data } = await send(path, { columns }, ownOptions(options, idempotencyKey))
      return { start, ...(data as WireColumns) }
    } catch (error) {
      if (error instanceof InvalidInputError && end - start < rows)
        return { start, rows: end - start, refusal: error }
      throw error
    }
  })
  return joined(parts, rows) as unknown as ColumnsResult<Name>
}

/** The length of the lists, which is the same for all; without a list it is one row. */
function rowsOf(fields: readonly [string, unknown][]): number {
  const lists = fields.filter((field): field is [string, ArrayLike<unknown>] => isList(field[1]))
  const [first] = lists
  if (first === undefined) return 1
  const other = lists.find(([, list]) => list.length !== first[1].length)
  if (other !== undefined)
    throw new RangeError(`${other[0]} has ${other[1].length} values but ${first[0]} has ${first[1].length}.`)
  return first[1].length
}

const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || ArrayBuffer.isView(value)

const sliced = (value: unknown, start: number, end: number): unknown =>
  Array.isArray(value)
    ? value.slice(start, end)
    : ArrayBuffer.isView(value)
      ? Array.from((value as Float64Array).subarray(start, end))
      : value

function joined(parts: readonly Part[], rows: number) {
  const answered = parts.filter((part): part is { start: number } & WireColumns => 'columns' in part)
  const refused = parts.flatMap((part) => ('refusal' in part ? [part] : []))
  if (answered.length === 0 && refused[0] !== undefined) throw refused[0].refusal
  const names = Object.keys(answered[0]?.columns ?? {})
  const sum = (count: (part: WireColumns) => number) =>
    answered.reduce((total, part) => total + count(part), 0)
  const errors = [
    ...answered.flatMap(({ errors, start }) => errors.map((error) => ({ ...error, row: start + error.row }))),
    ...refused.map(({ refusal, start }) => ({
      row: start,
      message: refusal.message,
      details: refusal.details,
    })),
  ]
  return {
    columns: Object.fromEntries(names.map((name) => [name, column(name, answered, rows)])),
    rows,
    succeeded: sum(({ succeeded }) => succeeded),
    failed: rows - sum(({ succeeded }) => succeeded),
    errors: errors.sort((a, b) => a.row - b.row),
  }
}

function column(
  name: string,
  parts: readonly ({ start: number } & WireColumns)[],
  rows: number,
): Float64Array | WireValue[] {
  const isText = parts.some(({ columns }) => columns[name]!.some((value) => typeof value === 'string'))
  const all = isText ? new Array<WireValue>(rows).fill(null) : new Float64Array(rows).fill(Number.NaN)
  for (const { columns, start } of parts)
    for (const [row, value] of columns[name]!.entries()) if (value !== null) all[start + row] = value as never
  return all
}
