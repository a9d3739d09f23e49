/** Greeks of an option: a small chart of each against the spot price. */
import { html } from '../html.js'
import { labelOf } from '../labels.js'
import { short } from '../numbers.js'
import { Chart } from './chart.js'
import { point } from './layers.js'
import { evenly } from './sampling.js'

const colors = ['first', 'third', 'fourth', 'second']

/**
 * @param names of the results
 * @param fields names of spot and strike price in the request
 * @param greeks the results for a request; it throws where they are refused
 */
export function GreeksCharts({ names, fields, greeks, values, data }) {
  const [spot, strike] = [values[fields.spot], values[fields.strike]]
  const spots = evenly(Math.min(spot, strike) * 0.5, Math.max(spot, strike) * 1.6, 97)
  const all = spots.map((at) => {
    try {
      return greeks({ ...values, [fields.spot]: at })
    } catch {
      return {}
    }
  })
  return html`<div class="charts small">
    ${names.map(
      (name, i) => html`<${Chart}
        key=${name}
        title=${`${labelOf(name)} against spot price`}
        summary=${`${labelOf(name)} is ${short(data[name])} at spot price ${short(spot)}.`}
        height=${200}
        x=${spots}
        xLabel="Spot price"
        yLabel=${labelOf(name)}
        lines=${[{ label: labelOf(name), y: all.map((one) => one[name] ?? null), color: colors[i % colors.length] }]}
        layers=${[point(spot, data[name], { label: short(data[name]) })]}
      />`,
    )}
  </div>`
}
