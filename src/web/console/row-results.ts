/** The results of the rows of a table as columns: flags, scores or outputs, with the cell at fault in each row. */
import type { Form } from '../../derive/forms.ts'
import type { Column, SentTable } from './data/shapes.ts'
import { cellOf } from './data/table.ts'
import { inUnit, labelWithUnit, unitOf } from './greek-units.ts'
import type { OutputColumn, RowsResult } from './kernels/row-results.ts'
import type { CountedRows, ScoredRows } from './kernels/tables.ts'
import { short } from './numbers.ts'
import { csvLine, longCsv } from './save.ts'

/** The result of an operation that has one for each row: flags, scores or outputs. */
export type ResultByRow = Pick<CountedRows, 'flags'> | Pick<ScoredRows, 'scores' | 'threshold'> | Outputs

type Outputs = Pick<RowsResult, 'outputs' | 'errors'>

/** For each row of outliers, its distance, and the place of the column that is farthest out among those sent. */
export interface Distances {
  readonly distances: Float64Array
  readonly farthest: Int32Array
}

/** The rows that an answer is about. */
export interface AnsweredRows {
  readonly form: Form
  readonly table: SentTable
  readonly result: ResultByRow
  /** With flags only. */
  readonly distances: Distances | null
  /** The reply as JSON. */
  readonly blob: Blob
  /** Whether it is the answer to the present entries. */
  readonly isFresh: boolean
}

/** A column of a result; the rows are those sent. */
export interface ResultColumn {
  readonly name: string
  /** The heading in the CSV file. */
  readonly wire: string
  readonly isNumber: boolean
  text(row: number): string
  raw(row: number): string | number | boolean
  /** Why its cell is marked; null: it is not. */
  mark?(row: number): string | null
}

/** The cell of the table at fault in a row. `place`: that of a column among those sent; `field`: that of a field. */
export interface Flag {
  readonly place?: number
  readonly field?: string
  readonly reason: string
}

/** A cell that the service refuses; `row`: that of the table, from 0. */
export interface CellFault extends Flag {
  readonly row: number
}

export interface RowResults {
  isFlagged(row: number): boolean
  /** The word for the rows that are flagged. */
  readonly word: string
  /** By which the flagged rows are sorted. */
  readonly score?: (row: number) => number
  readonly columns: readonly ResultColumn[]
  /** null: no cell of the table is at fault. */
  flagOf?(row: number): Flag | null
}

export function rowResults({ result, distances, form }: AnsweredRows): RowResults {
  if ('outputs' in result) return ofOutputs(result, form)
  if ('flags' in result) return ofFlags(result.flags, distances!)
  const { scores, threshold } = result
  const score = numberColumn('Score', scores, 4)
  return flagged('Anomaly', (row) => scores[row] > threshold, {
    ...score,
    mark: (row) => (scores[row] > threshold ? `above the threshold ${short(threshold)}` : null),
  })
}

function ofFlags(flags: Uint8Array, { distances, farthest }: Distances): RowResults {
  const distance = numberColumn('Distance', distances, 2)
  return {
    ...flagged('Outlier', (row) => flags[row] === 1, distance),
    flagOf: (row) =>
      flags[row] === 1
        ? { place: farthest[row], reason: `${distance.text(row)} times the distance of its fence` }
        : null,
  }
}

interface NumberColumn extends ResultColumn {
  raw(row: number): number
}

const numberColumn = (name: string, list: Float64Array, digits: number): NumberColumn => ({
  name,
  wire: name.toLowerCase(),
  isNumber: true,
  text: (row) => (list[row] === Infinity ? '∞' : list[row].toFixed(digits)),
  raw: (row) => list[row],
})

function flagged(name: string, isFlagged: (row: number) => boolean, score: NumberColumn): RowResults {
  const text = (row: number) => (isFlagged(row) ? 'yes' : 'no')
  const flags = { name, wire: name.toLowerCase(), isNumber: false, text, raw: isFlagged }
  return { isFlagged, word: 'flagged', score: score.raw, columns: [flags, score] }
}

/** Outputs that only repeat a field of the request are left out. */
function ofOutputs({ outputs, errors }: Outputs, { fields }: Form): RowResults {
  const faults = new Map(errors.map((fault) => [fault.row, fault]))
  const resultAt = ({ values, words }: OutputColumn, row: number) =>
    words === null ? (Number.isNaN(values[row]) ? '' : values[row]) : (words[values[row]] ?? '')
  const isFailed = (row: number) => resultAt(outputs[0], row) === ''
  const failure = (row: number) => faults.get(row)?.message ?? (isFailed(row) ? 'failed' : '')
  const shown = outputs
    .filter(({ name }) => !fields.some((field) => field.name === name))
    .map(
      (output): ResultColumn => ({
        name: labelWithUnit(output.name, { isShort: true }),
        wire: wireName(output.name),
        isNumber: output.words === null,
        text: (row) => inWords(inUnit(output.name, resultAt(output, row))),
        raw: (row) => inUnit(output.name, resultAt(output, row)),
      }),
    )
  const failures: ResultColumn = {
    name: 'Failure',
    wire: 'failure',
    isNumber: false,
    text: failure,
    raw: failure,
    mark: (row) => (isFailed(row) ? '' : null),
  }
  return {
    isFlagged: isFailed,
    word: 'failed',
    columns: errors.length === 0 ? shown : [...shown, failures],
    flagOf: (row) => {
      const fault = faults.get(row)
      const [detail] = fault?.details ?? []
      return fault === undefined ? null : { field: detail?.path.slice(1) ?? '', reason: fault.message }
    },
  }
}

/** The heading of an output in the CSV file, with its unit if that is not the unit of the service. */
const wireName = (name: string) => (inUnit(name, 1) === 1 ? name : `${name} ${unitOf(name)}`)

const inWords = (value: number | string): string => (typeof value === 'number' ? short(value) : value)

/** The columns of the table, without the one that names the rows. */
const ownColumns = ({ given, heading }: SentTable): Column[] =>
  given.columns.filter(({ name }) => name !== heading)

/** All rows that were sent, in their own order, with the columns of the table. */
export function csvOf(table: SentTable, results: readonly ResultColumn[]): Promise<Blob> {
  const own = ownColumns(table)
  const isNamed = table.heading !== null
  const head = [
    isNamed ? table.heading : 'row',
    ...results.map(({ wire }) => wire),
    ...own.map(({ name }) => name),
  ]
  return longCsv(head, table.rows, (row) =>
    csvLine([
      isNamed ? table.nameOf(row) : table.numberOf(row),
      ...results.map(({ raw }) => raw(row)),
      ...own.map((column) => cellOf(column, table.rowOf(row))),
    ]),
  )
}
