/** Checks the receipt of one row of a batch or of columns. */
import { type Kind, leafBytes, type ProvenColumn, rowsOfLeaf, valuesOf } from './proven-rows.ts'
import { bytesOf, type Fields, fail, fields, members, textOf, whole } from './reading.ts'
import { climb, sha256 } from './web-hash.ts'

/** A row that a receipt proves. */
export interface ProvenRow {
  /** The number of the row, from 0. */
  readonly row: number
  /** For columns, the row's fields by name; for a batch, the call. */
  readonly request: unknown
  readonly result: unknown
}

const CONTENT = /^[0-9a-f]{128}$/

/** @param content the content of the audit row, whose second half is the root of the rows */
export async function checkRow(receipt: Fields, content: unknown): Promise<ProvenRow> {
  if (receipt.quantd_row_receipt !== 1) fail('it is no receipt of a row of version 1')
  members(receipt, 'it', 'quantd_row_receipt', 'receipt', 'row', 'head', 'request', 'result', 'path')
  if (typeof content !== 'string' || !CONTENT.test(content)) return fail('the call has no rows')
  const head = fields(receipt.head, 'head')
  const [row, count, first, rows] = [receipt.row, head.count, head.first, head.rows].map(whole)
  const each = rowsOfLeaf(count)
  const index = Math.floor(row / each)
  if (row >= count || first !== index * each || rows !== Math.min(each, count - first))
    fail('the row is not in its leaf')
  const request = sideOf(head.request, receipt.request, rows, row - first)
  const result = sideOf(head.result, receipt.result, rows, row - first)
  const leaf = await sha256(leafBytes({ head: textOf(head), parts: [...request.parts, ...result.parts] }))
  if ((await climb(leaf, index, Math.ceil(count / each), receipt.path)) !== content.slice(64))
    fail('the row is not in the tree over the rows of the call')
  return { row, request: request.value, result: result.value }
}

interface Side {
  readonly parts: readonly Uint8Array[]
  /** The value of the row. */
  readonly value: unknown
}

/** Reads one side of a leaf: the request or the result. @param place the index of the row in the leaf */
function sideOf(kinds: unknown, side: unknown, rows: number, place: number): Side {
  if (typeof kinds === 'number') return textSide(kinds, side, rows, place)
  const named = Object.entries(fields(kinds, 'head')).sort(([a], [b]) => (a < b ? -1 : 1))
  const values = members(side, 'a row', ...named.map(([name]) => name))
  const parts = [
    valuesOf(
      named.map(([name, kind]) => columnOf(name, kind as Kind, values[name], rows)),
      0,
      rows,
    ),
  ]
  const value = named.map(([name]) => {
    const one = values[name]
    return [name, Array.isArray(one) ? one[place] : one]
  })
  return { parts, value: Object.fromEntries(value) }
}

function textSide(length: number, side: unknown, rows: number, place: number): Side {
  const isText = typeof side === 'string' && side.isWellFormed()
  const bytes = bytesOf(isText ? side : fail('a row is malformed'))
  if (bytes.length !== length) fail('a row has another length')
  let items: unknown
  try {
    items = JSON.parse(`[${side}]`)
  } catch {
    fail('a row is not JSON')
  }
  const list = items as unknown[]
  if (list.length !== rows) fail('the leaf has another number of rows')
  return { parts: [bytes], value: list[place] }
}

function columnOf(name: string, kind: Kind, field: unknown, rows: number): ProvenColumn {
  const isList = kind === 'numbers' || kind === 'texts'
  if (Array.isArray(field) !== isList) fail('a row is malformed')
  const values: unknown[] = isList ? (field as unknown[]) : [field]
  if (values.length !== (isList ? rows : 1)) fail('the leaf has another number of rows')
  if (kind === 'number' || kind === 'numbers') {
    if (!values.every((value) => Number.isFinite(value) || value === null)) fail('a number is malformed')
    const numbers = Float64Array.from(values, (value) => (value === null ? Number.NaN : (value as number)))
    return { name, isScalar: !isList, values: numbers }
  }
  if (kind !== 'text' && kind !== 'texts') fail('a kind is unknown')
  if (!values.every((value) => typeof value === 'string' || value === null)) fail('a text is malformed')
  return { name, isScalar: !isList, values: (place) => textOf(values[place]) }
}
