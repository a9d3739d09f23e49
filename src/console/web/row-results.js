/** The result of each row of a table: the flagged rows first, as CSV and JSON. */
import { html, useMemo, useState } from './html.js'
import { plural, short } from './numbers.js'
import { saveBlob, saveText } from './save.js'
import { flaggedFirst, VirtualTable } from './virtual-table.js'

/** `result`: `{ flags }` or `{ scores, threshold }`; `blob`: the reply as JSON. */
export function RowResults({ table, result, blob, name }) {
  const [isFirst, setFirst] = useState(true)
  const { isFlagged, columns } = useMemo(() => described(result), [result])
  const order = useMemo(
    () =>
      isFirst ? flaggedFirst(table.rows, isFlagged) : Uint32Array.from({ length: table.rows }, (_, i) => i),
    [result, isFirst, table],
  )
  const shown = [
    ...columns,
    ...table.names
      .slice(0, 30)
      .map((name, column) => ({ name, text: (row) => short(table.values[row * table.columns + column]) })),
  ]
  return html`<div>
    <div class="heading">
      <h3>${plural(table.rows, 'row')}</h3>
      <label class="check"><input type="checkbox" checked=${isFirst} onChange=${(event) => setFirst(event.currentTarget.checked)} /> flagged rows first</label>
      <span class="tools">
        <button type="button" class="small quiet" onClick=${() => saveText(csvOf(table, columns), `${name}.csv`, 'text/csv')}>CSV</button>
        <button type="button" class="small quiet" onClick=${() => saveBlob(blob, `${name}.json`)}>JSON</button>
      </span>
    </div>
    <${VirtualTable} label="Result of each row" columns=${shown} order=${order} isMarked=${isFlagged} />
  </div>`
}

function described({ flags, scores, threshold }) {
  if (flags) {
    const isFlagged = (row) => flags[row] === 1
    return {
      isFlagged,
      columns: [{ name: 'Outlier', text: (row) => (isFlagged(row) ? 'yes' : 'no'), raw: isFlagged }],
    }
  }
  const isFlagged = (row) => scores[row] > threshold
  return {
    isFlagged,
    columns: [
      { name: 'Anomaly', text: (row) => (isFlagged(row) ? 'yes' : 'no'), raw: isFlagged },
      { name: 'Score', text: (row) => scores[row].toFixed(4), raw: (row) => scores[row] },
    ],
  }
}

/** All rows in their own order, with the columns of the table. */
function csvOf({ rows, columns, values, names }, results) {
  const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  const lines = [['row', ...results.map(({ name }) => name.toLowerCase()), ...names].map(quoted).join(',')]
  for (let row = 0; row < rows; row++)
    lines.push(
      `${row + 1},${results.map(({ raw }) => raw(row)).join(',')},${values.subarray(row * columns, (row + 1) * columns).join(',')}`,
    )
  return `${lines.join('\n')}\n`
}
