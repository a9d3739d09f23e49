/** The columns endpoint of an operation as a computation: each row gives what a single call would give. */

import { allRowsFailed, columnsOfTooMuchWork, invalidInput } from '../../base/errors/requests.ts'
import type { Detail, Failure, FailureFacts } from '../../base/failure.ts'
import { INLINE, MAX_DETAILS, MAX_ROW_ERRORS, MAX_WORK_MICROS } from '../../base/limits/callers.ts'
import { type WrittenColumn, writeStream } from '../../wire/arrow/write-stream.ts'
import { rowCounter } from '../body/call-counter.ts'
import { columnsPath, maxRows } from '../catalogue/columns.ts'
import type { Operation } from '../catalogue/operation.ts'
import {
  type CompiledOperation,
  type Computation,
  factsOf,
  type Job,
  orFailure,
  REFUSED_MICROS,
  startedSeconds,
} from '../computation.ts'
import { JSON_WIRE, type Result, type Wire } from '../result.ts'
import { readArrow, readJson } from './read-table.ts'
import { type Piece, type Results, type Rows, rowLoop } from './row-loop.ts'
import {
  type Field,
  fieldsOf,
  isMissing,
  isShared,
  NO_WORD,
  roomBehind,
  SHARED_ROWS,
  type Table,
  valueAt,
} from './table.ts'

/** The work of reading and printing the numbers of a row. */
const ROW_MICROS = 1

/** An operation of scalars, compiled for columns. */
interface CompiledColumns extends ColumnsLoop {
  readonly compiled: CompiledOperation
}

type ColumnsLoop = ReturnType<typeof compileColumns>

/** The parts that do not depend on the cost of the operation. */
export function compileColumns(operation: Operation) {
  const inputs = fieldsOf(operation.input)
  const outputs = fieldsOf(operation.output)
  return { inputs, outputs, loop: rowLoop(operation, inputs, outputs) }
}

export function columnsComputation(compiled: CompiledOperation, columnsLoop: ColumnsLoop): Computation {
  const { costs, operation, price } = compiled
  const { inputs, outputs } = columnsLoop
  const columns = { compiled, ...columnsLoop }
  const most = maxRows(operation)
  const read = (bytes: Uint8Array, wire: Wire): Job => {
    const room = roomBehind(bytes)
    const table =
      wire.body === 'arrow'
        ? readArrow(bytes, room, operation.input, inputs, most)
        : readJson(bytes, operation.input, inputs, most)
    const work = columns.loop.work(table, REFUSED_MICROS)
    const micros = table.rows * ROW_MICROS + work.micros
    if (micros > MAX_WORK_MICROS) throw columnsOfTooMuchWork(Math.ceil(micros / 1e6), MAX_WORK_MICROS / 1e6)
    const results = outputs.map(({ words }) =>
      words === null ? room.doubles(table.rows) : room.codes(table.rows),
    )
    const [next, isBodyTaken] = [sharedInteger(), sharedInteger()]
    const body = isShared(bytes.buffer) ? bytes : null
    const { seconds } = work
    const rows: Rows = { table, seconds, results, next, body, isBodyTaken, encoding: wire.reply }
    const run = () => orFailure(() => finish(columns, rows, [runPiece(columns, rows, 0, table.rows)]))
    return { cost: price * seconds, micros, run, ...(table.rows >= SHARED_ROWS && { rows }) }
  }
  return {
    path: columnsPath(operation),
    operationPath: operation.path,
    counter: rowCounter,
    leastCost: price,
    mostCost: price * (most + startedSeconds(MAX_WORK_MICROS)),
    costs,
    inlineBytes: INLINE.bytes,
    takesArrow: true,
    inPieces: {
      run: (rows, from, to) => runPiece(columns, rows, from, to),
      finish: (rows, done) => orFailure(() => finish(columns, rows, done)),
    },
    read: (bytes, wire = JSON_WIRE) => orFailure(() => read(bytes, wire)),
  }
}

const sharedInteger = () => new Int32Array(new SharedArrayBuffer(4))

/** Computes some of the rows; for a JSON reply it also prints the results of each output, without brackets. */
function runPiece({ loop, outputs }: CompiledColumns, rows: Rows, from: number, to: number): Piece {
  const failed = loop.run(rows.table, rows.results, from, to)
  const texts =
    rows.encoding === 'arrow'
      ? []
      : outputs.map((field, index) => printColumn(field, rows.results[index].subarray(from, to)))
  return { from, failed, texts }
}

function finish(
  columns: CompiledColumns,
  { encoding, results, seconds, table }: Rows,
  done: readonly Piece[],
): Result {
  const { compiled, loop, outputs } = columns
  const { rows } = table
  const failed = done.flatMap((piece) => piece.failed)
  const succeeded = rows - failed.length
  if (succeeded === 0) throw allFailed(columns, table, failed)
  const errors = failed.slice(0, MAX_ROW_ERRORS).map((row) => {
    const { details, message } = failureOf(columns, table, row)
    return { row, message, details }
  })
  const summary = { rows, succeeded, failed: failed.length, errors }
  const pieces =
    encoding === 'json'
      ? [...printed(outputs, done), `},${JSON.stringify(summary).slice(1)}`]
      : writeStream(writtenColumns(outputs, results), rows, failed, summary)
  const charged = seconds === rows ? succeeded : seconds - loop.secondsOf(table, failed, REFUSED_MICROS)
  return { pieces, encoding, credits: compiled.price * charged, calls: rows, parts: null }
}

const writtenColumns = (outputs: readonly Field[], results: Results): WrittenColumn[] =>
  outputs.map(({ name, words }, index) => ({
    name,
    type: words === null ? 'float64' : { words },
    values: results[index],
  }))

/** Joins the texts of all pieces to the columns in JSON. */
const printed = (outputs: readonly Field[], done: readonly Piece[]): (string | Uint8Array)[] =>
  outputs.flatMap(({ name }, index) => [
    `${index === 0 ? '{"columns":{' : ','}${JSON.stringify(name)}:[`,
    ...done.flatMap(({ texts }, piece) => (piece === 0 ? [texts[index]] : [',', texts[index]])),
    ']',
  ])

/** The failure of a row as a single call would report it: the loop only finds that the row fails. */
function failureOf({ compiled, inputs }: CompiledColumns, { columns }: Table, row: number): FailureFacts {
  const missing = inputs.filter((field, index) => isMissing(field, columns[index], row))
  if (missing.length > 0)
    return factsOf(invalidInput(missing.map(({ name }) => ({ path: `/${name}`, message: 'is missing' }))))
  const call = Object.fromEntries(
    inputs.map((field, index) => [field.name, valueAt(field, columns[index], row)]),
  )
  try {
    compiled.compute(compiled.validate(call))
  } catch (error) {
    return factsOf(error, compiled.operation)
  }
  throw new Error(`Row ${row} failed in the loop but not on its own.`)
}

function allFailed(columns: CompiledColumns, table: Table, failed: readonly number[]): Failure {
  const described = failed.slice(0, MAX_DETAILS).map((row) => failureOf(columns, table, row))
  const details = new Map<string, Detail>()
  for (const [row, facts] of described.entries())
    for (const detail of facts.details) {
      const placed = inBody(columns, table, detail, row)
      // A scalar is at fault once, not in every row.
      if (!details.has(placed.path)) details.set(placed.path, placed)
    }
  return allRowsFailed(table.rows, described[0].message, [...details.values()])
}

/** Turns the path of a detail, which a row's failure has, into its path in the body of the request. */
function inBody(
  { inputs }: CompiledColumns,
  { columns }: Table,
  { message, path }: Detail,
  row: number,
): Detail {
  const column = columns[inputs.findIndex(({ name }) => path === `/${name}`)]
  if (column === undefined) return { path: `/columns${path}`, message }
  return { path: column.isScalar ? `/columns${path}` : `/columns${path}/${row}`, message }
}

/** A column's results, separated by commas; null in the rows that failed. */
function printColumn({ words }: Field, values: Float64Array | Uint8Array): string {
  // JSON.stringify prints NaN as null; a result is finite.
  if (words === null) return JSON.stringify(Array.from(values)).slice(1, -1)
  const items = Array.from({ length: NO_WORD + 1 }, (_, code) => `,${JSON.stringify(words[code] ?? null)}`)
  let text = ''
  // Appending is four times as fast as joining a list.
  for (const code of values) text += items[code]
  return text.slice(1)
}
