/** Sends many rows of one computation as columns: inputs are lists or typed arrays, numeric results are typed arrays. */
import { decoded, type WordColumn } from '../../src/wire/arrow/decoded.ts'
import { encoded } from './arrow.ts'
import { ownOptions, pathOf, type Send } from './batch.ts'
import { type Chunk, inChunks } from './bulk.ts'
import { type Detail, errorOf, InvalidInputError } from './errors.ts'
import { type NumberArray, withPlainArrays } from './numbers.ts'
import type { ColumnsOptions } from './options.ts'
import type { ColumnComputations } from './types.ts'

/**
 * Each field is one value for all rows, or a list with a value per row. If a value is missing (null, or NaN in a typed array),
 * only its row fails.
 */
export type ColumnsInput<Name extends keyof ColumnComputations> = {
  readonly [Field in keyof ColumnComputations[Name]['input']]: Column<
    ColumnComputations[Name]['input'][Field]
  >
}

type Column<Value> =
  | Value
  | readonly (Exclude<Value, undefined> | null)[]
  | (number extends Value ? NumberArray : never)

export interface RowError {
  readonly row: number
  readonly message: string
  readonly details: readonly Detail[]
}

export interface ColumnsResult<Name extends keyof ColumnComputations> {
  /** Numbers are a Float64Array, with NaN in the rows that failed; words are a list, with null in these rows. */
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

interface WireColumns {
  readonly columns: Readonly<Record<string, Float64Array | readonly (number | string | null)[]>>
  readonly rows: number
  readonly succeeded: number
  readonly failed: number
  readonly errors: readonly RowError[]
}

/** The reply to one request; the service refuses a request if all its rows fail. */
type ChunkReply = { readonly start: number } & (
  | WireColumns
  | { readonly refusal: InvalidInputError; readonly rows: number }
)

export async function sendColumns<Name extends keyof ColumnComputations>(
  send: Send,
  name: Name,
  input: ColumnsInput<Name>,
  options: ColumnsOptions,
): Promise<ColumnsResult<Name>> {
  const path = `${pathOf(name)}/columns`
  const fields = Object.entries(input as Record<string, unknown>).filter(([, value]) => value !== undefined)
  const rows = rowsOf(fields)
  const sendChunk = async (chunk: Chunk): Promise<ChunkReply[]> => {
    const { end, idempotencyKey, start } = chunk
    const piece = fields.map(([field, value]) => [field, sliced(value, start, end)] as const)
    try {
      const { data } = await send(path, bodyOf(piece, options), ownOptions(options, idempotencyKey))
      return [{ start, ...columnsIn(data) }]
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      const smaller = partsOf(chunk, error)
      if (smaller.length > 1) {
        const replies: ChunkReply[] = []
        for (const part of smaller) replies.push(...(await sendChunk(part)))
        return replies
      }
      if (end - start < rows) return [{ start, rows: end - start, refusal: error }]
      throw error
    }
  }
  const parts = await inChunks(rows, ROWS, options, sendChunk)
  return joined(parts.flat(), rows) as unknown as ColumnsResult<Name>
}

/** The parts in which the service may take a chunk that it refused because it has too much work; else the chunk alone. */
function partsOf(chunk: Chunk, { numbers }: InvalidInputError): Chunk[] {
  const { end, idempotencyKey, start } = chunk
  const { limit_seconds: limit, seconds } = numbers
  if (typeof limit !== 'number' || typeof seconds !== 'number') return [chunk]
  const size = Math.ceil((end - start) / Math.ceil(seconds / limit))
  return Array.from({ length: Math.ceil((end - start) / size) }, (_, i) => ({
    start: start + i * size,
    end: Math.min(end, start + (i + 1) * size),
    idempotencyKey: idempotencyKey === null ? null : `${idempotencyKey}-${i}`,
  }))
}

/** The number of rows: the length of the lists, which must be the same for all; without lists it is 1. */
function rowsOf(fields: readonly Field[]): number {
  const lists = fields.filter(isListField)
  const [first] = lists
  if (first === undefined) return 1
  const other = lists.find(([, list]) => list.length !== first[1].length)
  if (other !== undefined)
    throw new RangeError(`${other[0]} has ${other[1].length} values but ${first[0]} has ${first[1].length}.`)
  return first[1].length
}

type Field = readonly [string, unknown]
type List = readonly unknown[] | NumberArray

const isList = (value: unknown): value is List => Array.isArray(value) || ArrayBuffer.isView(value)

const isListField = (field: Field): field is readonly [string, List] => isList(field[1])

function sliced(value: unknown, start: number, end: number): unknown {
  if (!isList(value)) return value
  return ArrayBuffer.isView(value) ? value.subarray(start, end) : value.slice(start, end)
}

/**
 * Fields that Arrow cannot hold are sent as JSON, so that the service says what is wrong with them; an infinite number is sent
 * in Arrow, since JSON would have null, a missing value.
 */
function bodyOf(fields: readonly Field[], { format }: ColumnsOptions): unknown {
  const lists = fields.filter(isListField)
  const stream =
    lists.length > 0 && (format === 'arrow' || lists.some(hasInfinity))
      ? encoded(lists, Object.fromEntries(fields.filter(([, value]) => !isList(value))))
      : null
  return stream ?? { columns: withPlainArrays(Object.fromEntries(fields)) }
}

const hasInfinity = ([, list]: readonly [string, List]): boolean =>
  [Infinity, -Infinity].some((value) => (list as readonly unknown[]).includes(value))

/** Throws QuantdError for a stream that cannot be read. */
function columnsIn(data: unknown): WireColumns {
  if (!(data instanceof Uint8Array)) return data as WireColumns
  try {
    const { columns, metadata } = decoded(data)
    return { columns, ...metadata } as WireColumns
  } catch (cause) {
    throw errorOf('The reply is not an Arrow stream of quantd.', {
      code: 'reply',
      status: 200,
      requestId: null,
      details: [],
      retryAfterSeconds: null,
      cause,
    })
  }
}

function joined(parts: readonly ChunkReply[], rows: number) {
  const answered = parts.filter((part): part is { start: number } & WireColumns => 'columns' in part)
  const refused = parts.flatMap((part) => ('refusal' in part ? [part] : []))
  if (answered.length === 0 && refused[0] !== undefined) throw refused[0].refusal
  const names = Object.keys(answered[0]?.columns ?? {})
  const sum = (count: (part: WireColumns) => number) =>
    answered.reduce((total, part) => total + count(part), 0)
  const errors = [
    ...answered.flatMap(({ errors, start }) => errors.map((error) => ({ ...error, row: start + error.row }))),
    ...refused.flatMap(({ refusal, start }) => rowErrors(refusal, start)),
  ]
  return {
    columns: Object.fromEntries(names.map((name) => [name, column(name, answered, rows)])),
    rows,
    succeeded: sum(({ succeeded }) => succeeded),
    failed: rows - sum(({ succeeded }) => succeeded),
    errors: errors.sort((a, b) => a.row - b.row),
  }
}

/** The errors of the rows that the refusal of a whole chunk names by paths `/columns/FIELD/ROW`. */
function rowErrors({ details, message }: InvalidInputError, start: number): RowError[] {
  const byRow = new Map<number, Detail[]>()
  for (const detail of details) {
    const [, path, row] = /^\/columns(\/\w+)\/(\d+)$/.exec(detail.path) ?? []
    if (path === undefined) continue
    byRow.set(Number(row), [...(byRow.get(Number(row)) ?? []), { ...detail, path }])
  }
  if (byRow.size === 0) return [{ row: start, message, details }]
  return [...byRow].map(([row, ofRow]) => ({
    row: start + row,
    message: ofRow.map(sentence).join(' '),
    details: ofRow,
  }))
}

const sentence = ({ message, path }: Detail): string =>
  /^[A-Z]/.test(message) ? `${message}.` : `${path.slice(1)} ${message}.`

function column(
  name: string,
  parts: readonly ({ start: number } & WireColumns)[],
  rows: number,
): Float64Array | WordColumn {
  const found = parts.map(({ columns, start }) => ({ start, values: columns[name] }))
  if (
    found.some(({ values }) => Array.isArray(values) && values.some((value) => typeof value === 'string'))
  ) {
    const words: WordColumn = new Array(rows).fill(null)
    for (const { start, values } of found)
      for (const [row, value] of values.entries()) words[start + row] = value as string | null
    return words
  }
  const numbers = new Float64Array(rows).fill(Number.NaN)
  for (const { start, values } of found)
    numbers.set(values instanceof Float64Array ? values : values.map(numberOf), start)
  return numbers
}

const numberOf = (value: number | string | null): number => (value === null ? Number.NaN : Number(value))
