/** Many rows of one operation: a table whose columns are its fields, the first output of each row, and the rows that failed. */
import { html } from '../html.js'
import { rowResults } from '../kernels/row-results.js'
import { labelOf } from '../labels.js'
import { plural, short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { dots } from '../pictures/layers.js'

/** The table of an operation's form. */
export const tableOf = ({ fields }) => ({
  kind: 'rows',
  fields: fields.map(({ name }) => name),
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

export function Picture({ model: { name, low, high, places, shown, rows } }) {
  if (name === null) return null
  const room = (high - low || Math.abs(high) || 1) * 0.1
  return html`<${Chart}
    title=${`${labelOf(name)} of each row`}
    summary=${`${labelOf(name)} of ${plural(rows, 'row')}, from ${short(low)} to ${short(high)}.`}
    ...${{ xLabel: 'Row', counts: 'x', yLabel: labelOf(name) }}
    range=${{ x: [0.5, rows + 0.5], y: [low - room, high + room] }}
    layers=${[dots(places, shown, { size: shown.length > 500 ? 2 : 4, alpha: 0.9 })]}
  />`
}
