/** Many rows of one operation: the first output of each row, its result as a table, and the rows that failed. */
import { html } from '../html.js'
import { labelOf } from '../labels.js'
import { plural, short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { dots } from '../pictures/layers.js'
import { saveText } from '../save.js'
import { VirtualTable } from '../virtual-table.js'

export const preview = null
export const headline = ({ rows, succeeded }) => [
  { name: 'succeeded', label: `Successes among ${plural(rows, 'row')}`, value: succeeded },
]

export function Picture({ data: { columns } }) {
  const [name, values] =
    Object.entries(columns).find(([, list]) => list.some((value) => typeof value === 'number')) ?? []
  if (name === undefined) return null
  const places = values.flatMap((value, i) => (value === null ? [] : [i + 1]))
  const shown = values.filter((value) => value !== null)
  const low = shown.reduce((least, value) => Math.min(least, value), Infinity)
  const high = shown.reduce((most, value) => Math.max(most, value), -Infinity)
  const room = (high - low || Math.abs(high) || 1) * 0.1
  return html`<${Chart}
    title=${`${labelOf(name)} of each row`}
    summary=${`${labelOf(name)} of ${plural(shown.length, 'row')}, from ${short(low)} to ${short(high)}.`}
    ...${{ x: [], lines: [], xLabel: 'Row', yLabel: labelOf(name) }}
    range=${{ x: [0.5, values.length + 0.5], y: [low - room, high + room] }}
    layers=${[dots(places, shown, { size: shown.length > 500 ? 2 : 4, alpha: 0.9 })]}
  />`
}

export function Result({ data: { columns, rows, errors } }) {
  const faults = new Map(errors.map(({ row, message }) => [row, message]))
  const names = Object.keys(columns)
  const text = (value) => (value === null ? '' : typeof value === 'number' ? short(value) : String(value))
  const shown = [
    ...names.map((name) => ({ name: labelOf(name), text: (row) => text(columns[name][row]) })),
    ...(errors.length > 0 ? [{ name: 'Failure', text: (row) => faults.get(row) ?? '' }] : []),
  ]
  const csv = () =>
    [names, ...Array.from({ length: rows }, (_, row) => names.map((name) => columns[name][row] ?? ''))]
      .map((row) => row.join(','))
      .join('\n')
  return html`<div>
    <div class="heading"><h3>${plural(rows, 'row')}</h3><span class="tools"><button type="button" class="small quiet" onClick=${() => saveText(csv(), 'columns.csv', 'text/csv')}>CSV</button></span></div>
    <${VirtualTable} label="Result of each row" columns=${shown} order=${Uint32Array.from({ length: rows }, (_, i) => i)} isMarked=${(row) => names.every((name) => columns[name][row] === null)} />
  </div>`
}
