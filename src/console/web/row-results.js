/** The result of each row of a table: the flagged or failed rows first, as CSV and JSON. */
import { csvLine, longCsv } from './csv.js'
import { cellOf } from './data/table.js'
import { html, useMemo, useState } from './html.js'
import { labelOf } from './labels.js'
import { plural, short } from './numbers.js'
import { saveBlob } from './save.js'
import { flaggedFirst, VirtualTable } from './virtual-table.js'

const MOST_COLUMNS = 30

/** `form`: of the operation; `table`: the rows that were sent, as request.js shows them; `result`: `{ flags }`, `{ scores, threshold }` or `{ outputs, errors }`; `blob`: the reply as JSON. */
export function RowResults({ form, table, result, blob }) {
  const [isFirst, setFirst] = useState(true)
  const { isFlagged, columns, word } = useMemo(() => described(result, form), [result])
  const order = useMemo(
    () =>
      isFirst ? flaggedFirst(table.rows, isFlagged) : Uint32Array.from({ length: table.rows }, (_, i) => i),
    [result, isFirst, table],
  )
  const shown = [
    ...columns,
    ...ownColumns(table)
      .slice(0, MOST_COLUMNS)
      .map((column) => ({ name: column.name, text: (row) => inWords(cellOf(column, table.rowOf(row))) })),
  ]
  const names = table.heading === null ? { nameOf: (row) => table.rowOf(row) + 1 } : table
  return html`<div>
    <div class="heading">
      <h3>${plural(table.rows, 'row')}</h3>
      <label class="check"><input type="checkbox" checked=${isFirst} onChange=${(event) => setFirst(event.currentTarget.checked)} /> ${word} rows first</label>
      <span class="tools">
        <button type="button" class="small quiet" onClick=${async () => saveBlob(await csvOf(table, columns), `${form.id}.csv`)}>CSV</button>
        <button type="button" class="small quiet" onClick=${() => saveBlob(blob, `${form.id}.json`)}>JSON</button>
      </span>
    </div>
    <${VirtualTable} label="Result of each row" columns=${shown} order=${order} isMarked=${isFlagged} heading=${table.heading ?? 'Row'} nameOf=${names.nameOf} />
  </div>`
}

/** `columns`: `{ name, wire, text(row), raw(row) }`. */
function described({ flags, scores, threshold, outputs, errors }, form) {
  if (outputs) return describedOutputs(outputs, errors, form)
  const isFlagged = flags ? (row) => flags[row] === 1 : (row) => scores[row] > threshold
  const yes = (name) => ({
    name,
    wire: name.toLowerCase(),
    text: (row) => (isFlagged(row) ? 'yes' : 'no'),
    raw: isFlagged,
  })
  const score = {
    name: 'Score',
    wire: 'score',
    text: (row) => scores[row].toFixed(4),
    raw: (row) => scores[row],
  }
  return { isFlagged, word: 'flagged', columns: flags ? [yes('Outlier')] : [yes('Anomaly'), score] }
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
      name: labelOf(output.name),
      wire: output.name,
      text: (row) => inWords(resultAt(output, row)),
      raw: (row) => resultAt(output, row),
    }))
  const failures = { name: 'Failure', wire: 'failure', text: failure, raw: failure }
  return {
    isFlagged: isFailed,
    word: 'failed',
    columns: errors.length === 0 ? shown : [...shown, failures],
  }
}

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
      isNamed ? table.nameOf(row) : table.rowOf(row) + 1,
      ...results.map(({ raw }) => raw(row)),
      ...own.map((column) => cellOf(column, table.rowOf(row))),
    ]),
  )
}
