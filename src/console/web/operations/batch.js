/** The batch: its results one by one, and the main number of each as a picture. */

import { inUnit, labelWithUnit } from '../greek-units.js'
import { html } from '../html.js'
import { sampleOf } from '../kernels/row-results.js'
import { plural, short } from '../numbers.js'
import { VirtualTable } from '../virtual-table.js'
import { Dots } from './columns.js'

export const preview = null
export const headline = ({ results }) => [
  {
    name: 'succeeded',
    label: `Successes among ${plural(results.length, 'call')}`,
    value: results.filter(({ success }) => success).length,
  },
]

/** The first number of each success, by the order of the calls. */
export function Picture({ data: { results } }) {
  const numbers = results.map(
    ({ data }) => Object.values(data ?? {}).find((value) => typeof value === 'number') ?? Number.NaN,
  )
  const sample = sampleOf(numbers)
  if (sample.shown.length === 0) return null
  return html`<${Dots} ...${{ title: 'First number of each answer', of: plural(results.length, 'call'), xLabel: 'Call', yLabel: 'Value', count: results.length, sample }} />`
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
        `${labelWithUnit(name, { isShort: true })} ${typeof value === 'number' ? short(inUnit(name, value)) : typeof value === 'object' ? '…' : value}`,
    )
    .join(' · ')
