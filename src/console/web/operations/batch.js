/** The batch: its results one by one, and the main number of each as a picture. */
import { html } from '../html.js'
import { labelOf } from '../labels.js'
import { plural, short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { dots } from '../pictures/layers.js'
import { VirtualTable } from '../virtual-table.js'

export const preview = null
export const headline = ({ results }) => [
  {
    name: 'succeeded',
    label: `Successes among ${plural(results.length, 'call')}`,
    value: results.filter(({ success }) => success).length,
  },
]

/** The first number of each success, by the order of the calls. */
export function Picture({ data }) {
  const numbers = data.results.map(({ data }) =>
    Object.values(data ?? {}).find((value) => typeof value === 'number'),
  )
  const places = numbers.flatMap((value, i) => (value === undefined ? [] : [i + 1]))
  const values = numbers.filter((value) => value !== undefined)
  if (values.length === 0) return null
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = (high - low || Math.abs(high) || 1) * 0.1
  return html`<${Chart} title="First number of each answer" summary=${`The first number of ${plural(values.length, 'answer')}, from ${short(low)} to ${short(high)}.`}
    xLabel="Call" counts="x" yLabel="Value" range=${{ x: [0.5, numbers.length + 0.5], y: [low - room, high + room] }}
    layers=${[dots(places, values, { size: 4, alpha: 0.9 })]} />`
}

export function Result({ data: { results } }) {
  const columns = [
    { name: 'Answer', text: (row) => (results[row].success ? 'success' : 'failure') },
    {
      name: 'Values',
      text: (row) => (results[row].success ? inWords(results[row].data) : results[row].message),
    },
  ]
  return html`<${VirtualTable} label="Result of each call" columns=${columns} order=${Uint32Array.from(results, (_, i) => i)} isMarked=${(row) => !results[row].success} />`
}

const inWords = (data) =>
  Object.entries(data)
    .slice(0, 5)
    .map(
      ([name, value]) =>
        `${labelOf(name)} ${typeof value === 'number' ? short(value) : typeof value === 'object' ? '…' : value}`,
    )
    .join(' · ')
