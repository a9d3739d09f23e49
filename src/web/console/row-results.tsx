/** The result of each row of a table, with the flagged or failed rows first; it can be saved as CSV and JSON. */
import { useMemo, useState } from 'preact/hooks'
import type { Form } from '../../derive/forms.ts'
import { csvLine, longCsv } from './csv.ts'
import type { Column, SentTable } from './data/shapes.ts'
import { cellOf } from './data/table.ts'
import { inUnit, labelWithUnit, unitOf } from './greek-units.ts'
import type { OutputColumn, RowsResult } from './kernels/row-results.ts'
import type { CountedRows, ScoredRows } from './kernels/tables.ts'
import { plural, short } from './numbers.ts'
import { flaggedFirst } from './row-order.ts'
import { saveBlob } from './save.ts'
import { type TableColumn, VirtualTable } from './virtual-table.tsx'

const MOST_COLUMNS = 30

/** The result of an operation that has one for each row: flags, scores or outputs. */
export type ResultByRow = Pick<CountedRows, 'flags'> | Pick<ScoredRows, 'scores' | 'threshold'> | Outputs

type Outputs = Pick<RowsResult, 'outputs' | 'errors'>

interface RowResultsProps {
  readonly form: Form
  readonly table: SentTable
  readonly result: ResultByRow
  /** The distances of the rows, with flags only. */
  readonly distances: Float64Array | undefined
  /** The text of useUnits. */
  readonly units: string
  /** The reply as JSON. */
  readonly blob: Blob
}

export function RowResults({ form, table, result, distances, units, blob }: RowResultsProps) {
  const [isFirst, setFirst] = useState(true)
  const { isFlagged, columns, word, score } = useMemo(
    () => described(result, distances, form),
    [result, units],
  )
  const order = useMemo(
    () =>
      isFirst
        ? flaggedFirst(table.rows, isFlagged, score)
        : Uint32Array.from({ length: table.rows }, (_, i) => i),
    [result, isFirst, table],
  )
  const shown = [
    ...columns,
    ...ownColumns(table)
      .slice(0, MOST_COLUMNS)
      .map((column) => ({
        name: column.name,
        text: (row: number) => inWords(cellOf(column, table.rowOf(row))),
        raw: (row: number) => cellOf(column, table.rowOf(row)),
      })),
  ]
  const names = table.heading === null ? { nameOf: table.numberOf } : table
  return (
    <div>
      <div class="heading">
        <h3>{plural(table.rows, 'row')}</h3>
        <label class="check">
          <input
            type="checkbox"
            checked={isFirst}
            onChange={(event) => setFirst(event.currentTarget.checked)}
          />{' '}
          {word} rows first
        </label>
        <span class="tools">
          <button
            type="button"
            class="small quiet"
            onClick={async () => saveBlob(await csvOf(table, columns), `${form.id}.csv`)}
          >
            CSV
          </button>
          <button type="button" class="small quiet" onClick={() => saveBlob(blob, `${form.id}.json`)}>
            JSON
          </button>
        </span>
      </div>
      <VirtualTable
        label="Result of each row"
        columns={shown}
        order={order}
        isMarked={isFlagged}
        heading={table.heading ?? 'Row'}
        nameOf={names.nameOf}
      />
    </div>
  )
}

/** A column of a result. */
interface ResultColumn extends TableColumn {
  /** The heading in the CSV file. */
  readonly wire: string
  raw(row: number): string | number | boolean
}

interface Described {
  isFlagged(row: number): boolean
  /** The word for the rows that are flagged. */
  readonly word: string
  /** By which the flagged rows are sorted. */
  readonly score?: (row: number) => number
  readonly columns: readonly ResultColumn[]
}

function described(result: ResultByRow, distances: Float64Array | undefined, form: Form): Described {
  if ('outputs' in result) return describedOutputs(result, form)
  if ('flags' in result) {
    const { flags } = result
    const distance = numberColumn('Distance', distances!, 2)
    return flagged('Outlier', (row) => flags[row] === 1, distance)
  }
  const { scores, threshold } = result
  return flagged('Anomaly', (row) => scores[row] > threshold, numberColumn('Score', scores, 4))
}

interface NumberColumn extends ResultColumn {
  raw(row: number): number
}

const numberColumn = (name: string, list: Float64Array, digits: number): NumberColumn => ({
  name,
  wire: name.toLowerCase(),
  text: (row) => (list[row] === Infinity ? '∞' : list[row].toFixed(digits)),
  raw: (row) => list[row],
})

function flagged(name: string, isFlagged: (row: number) => boolean, score: NumberColumn): Described {
  const text = (row: number) => (isFlagged(row) ? 'yes' : 'no')
  const flags = { name, wire: name.toLowerCase(), text, raw: isFlagged }
  return { isFlagged, word: 'flagged', score: score.raw, columns: [flags, score] }
}

/** Outputs that only repeat a field of the request are left out. */
function describedOutputs({ outputs, errors }: Outputs, { fields }: Form): Described {
  const faults = new Map(errors.map(({ row, message }) => [row, message]))
  const resultAt = ({ values, words }: OutputColumn, row: number) =>
    words === null ? (Number.isNaN(values[row]) ? '' : values[row]) : (words[values[row]] ?? '')
  const isFailed = (row: number) => resultAt(outputs[0], row) === ''
  const failure = (row: number) => faults.get(row) ?? (isFailed(row) ? 'failed' : '')
  const shown = outputs
    .filter(({ name }) => !fields.some((field) => field.name === name))
    .map(
      (output): ResultColumn => ({
        name: labelWithUnit(output.name, { isShort: true }),
        wire: wireName(output.name),
        text: (row) => inWords(inUnit(output.name, resultAt(output, row))),
        raw: (row) => inUnit(output.name, resultAt(output, row)),
      }),
    )
  const failures = { name: 'Failure', wire: 'failure', text: failure, raw: failure }
  return {
    isFlagged: isFailed,
    word: 'failed',
    columns: errors.length === 0 ? shown : [...shown, failures],
  }
}

/** The heading of an output in the CSV file, with its unit if that is not the unit of the service. */
const wireName = (name: string) => (inUnit(name, 1) === 1 ? name : `${name} ${unitOf(name)}`)

const inWords = (value: number | string): string => (typeof value === 'number' ? short(value) : value)

/** The columns of the table, without the one that names the rows. */
const ownColumns = ({ given, heading }: SentTable): Column[] =>
  given.columns.filter(({ name }) => name !== heading)

/** All rows that were sent, in their own order, with the columns of the table. */
function csvOf(table: SentTable, results: readonly ResultColumn[]): Promise<Blob> {
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
