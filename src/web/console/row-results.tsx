/** The result of each row of a table, with the flagged or failed rows first; it can be saved as CSV and JSON. */
// @ts-nocheck: to be converted
import { useMemo, useState } from 'preact/hooks'
import { csvLine, longCsv } from './csv.ts'
import { cellOf } from './data/table.ts'
import { inUnit, labelWithUnit, unitOf } from './greek-units.ts'
import { plural, short } from './numbers.ts'
import { flaggedFirst } from './row-order.ts'
import { saveBlob } from './save.ts'
import { VirtualTable } from './virtual-table.tsx'

const MOST_COLUMNS = 30

/**
 * `form`: that of the operation; `table`: `shown` of request.ts; `result`: `{ flags }`, `{ scores, threshold }` or `{ outputs,
 * errors }`; `distances`: those of the rows, with `flags` only; `units`: the text of useUnits; `blob`: the reply as JSON.
 */
export function RowResults({ form, table, result, distances, units, blob }) {
  const [isFirst, setFirst] = useState(true)
  const { isFlagged, columns, word, score } = useMemo(
    () => described({ ...result, distances }, form),
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
        text: (row) => inWords(cellOf(column, table.rowOf(row))),
        raw: (row) => cellOf(column, table.rowOf(row)),
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

/** The columns of a result: `{ name, wire, text(row), raw(row) }`, where `wire` is the heading in the CSV file. */
function described({ flags, distances, scores, threshold, outputs, errors }, form) {
  if (outputs) return describedOutputs(outputs, errors, form)
  const isFlagged = flags ? (row) => flags[row] === 1 : (row) => scores[row] > threshold
  const yes = (name) => ({
    name,
    wire: name.toLowerCase(),
    text: (row) => (isFlagged(row) ? 'yes' : 'no'),
    raw: isFlagged,
  })
  const number = (name, list, digits) => ({
    name,
    wire: name.toLowerCase(),
    text: (row) => (list[row] === Infinity ? '∞' : list[row].toFixed(digits)),
    raw: (row) => list[row],
  })
  const score = flags ? number('Distance', distances, 2) : number('Score', scores, 4)
  return {
    isFlagged,
    word: 'flagged',
    score: score.raw,
    columns: [yes(flags ? 'Outlier' : 'Anomaly'), score],
  }
}

/** Outputs that only repeat a field of the request are left out. */
function describedOutputs(outputs, errors, { fields }) {
  const faults = new Map(errors.map(({ row, message }) => [row, message]))
  const resultAt = ({ values, words }, row) =>
    words === null ? (Number.isNaN(values[row]) ? '' : values[row]) : (words[values[row]] ?? '')
  const isFailed = (row) => resultAt(outputs[0], row) === ''
  const failure = (row) => faults.get(row) ?? (isFailed(row) ? 'failed' : '')
  const shown = outputs
    .filter(({ name }) => !fields.some((field) => field.name === name))
    .map((output) => ({
      name: labelWithUnit(output.name, { isShort: true }),
      wire: wireName(output.name),
      text: (row) => inWords(inUnit(output.name, resultAt(output, row))),
      raw: (row) => inUnit(output.name, resultAt(output, row)),
    }))
  const failures = { name: 'Failure', wire: 'failure', text: failure, raw: failure }
  return {
    isFlagged: isFailed,
    word: 'failed',
    columns: errors.length === 0 ? shown : [...shown, failures],
  }
}

/** The heading of an output in the CSV file, with its unit if that is not the unit of the service. */
const wireName = (name) => (inUnit(name, 1) === 1 ? name : `${name} ${unitOf(name)}`)

const inWords = (value) => (typeof value === 'number' ? short(value) : value)

/** The columns of the table, without the one that names the rows. */
const ownColumns = ({ given, heading }) => given.columns.filter(({ name }) => name !== heading)

/** All rows that were sent, in their own order, with the columns of the table. */
function csvOf(table, results) {
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
