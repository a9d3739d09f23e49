/** Many rows of one operation: a table whose columns are its fields, the first output of each row, and the rows that failed. */
import { html } from '../html.js'
import { rowResults } from '../kernels/row-results.js'
import { labelOf } from '../labels.js'
import { plural, short, whole } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { dots } from '../pictures/layers.js'
import { namedAxis } from '../pictures/named-axis.js'
import { around } from '../pictures/sampling.js'

/** The table of an operation's form. */
export const tableOf = ({ fields }) => ({
  kind: 'rows',
  fields: fields.map(({ name }) => name),
  choices: Object.fromEntries(
    fields.filter(({ kind }) => kind === 'choice').map(({ name, choices }) => [name, choices]),
  ),
  sample: sampleOf(fields),
})

export const preview = null
export const { model, resultOf } = rowResults
/** The rows of the table are shown beside their results. */
export const byRow = true

export const headline = (_, { rows, succeeded }) => [
  { name: 'succeeded', label: `Successes among ${plural(rows, 'row')}`, value: succeeded },
  ...(succeeded < rows ? [{ name: 'failed', label: 'Failures, not charged', value: rows - succeeded }] : []),
]

const SAMPLE_ROWS = 9

/** The required fields, of which the one that the example varies goes from low to high. */
function sampleOf(fields) {
  const shown = fields.filter(({ required }) => required)
  const row = (i) =>
    shown.map(({ example }) =>
      Array.isArray(example)
        ? Number((example[0] * (0.8 + (0.4 * i) / (SAMPLE_ROWS - 1))).toPrecision(6))
        : example,
    )
  return [shown.map(({ name }) => name), ...Array.from({ length: SAMPLE_ROWS }, (_, i) => row(i))]
    .map((cells) => cells.join(', '))
    .join('\n')
}

export const Picture = ({ model: { name, rows, ...sample }, table }) =>
  name !== null &&
  html`<${Dots} ...${{ title: `${labelOf(name)} of each row`, of: plural(rows, 'row'), xLabel: 'Row', yLabel: labelOf(name), count: rows, sample, table }} />`

/** Numbers by their places, or dates. `of`: what they belong to, in words; `sample`: by row-results.js; `table`: that names the rows. */
export function Dots({
  title,
  of,
  xLabel,
  yLabel,
  count,
  sample: { extent, step, places, shown },
  table = null,
}) {
  const at = table?.times ? places.map((place) => table.times[place - 1] / 1000) : places
  const axis = table?.times
    ? { isTime: true, xLabel: table.heading, range: { x: around(at, 0.02) } }
    : { counts: 'x', ...namedAxis(table, xLabel), range: { x: [0.5, count + 0.5] } }
  return html`<div><${Chart} title=${title} yLabel=${yLabel} ...${axis}
    summary=${`${title}: ${of}, from ${short(extent[0])} to ${short(extent[1])}.`}
    range=${{ ...axis.range, y: around(extent, 0.1) }}
    layers=${[dots(at, shown, { size: shown.length > 500 ? 2 : 4, alpha: 0.9 })]}
    numbers=${() => [[axis.xLabel, yLabel], ...places.map((place, i) => [table?.heading ? table.nameOf(place - 1) : place, shown[i]])]} />
    ${step > 1 && html`<p class="hint">One row in ${whole(step)} is drawn; the table has all of them.</p>`}</div>`
}
