/** American price: beside the European one and the payoff, against the spot price. */
import { html } from '../html.js'
import { price } from '../kernels/american.js'
import { labelOf } from '../labels.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point } from '../pictures/layers.js'
import { curve, evenly } from '../pictures/sampling.js'

const names = ['price', 'early_exercise_premium', 'delta', 'gamma', 'theta']

export const preview = price
export const headline = (data) => names.map((name) => ({ name, label: labelOf(name), value: data[name] }))

export function Picture({ values, data }) {
  const { spot, strike, option_type } = values
  const places = evenly(Math.min(spot, strike) * 0.5, Math.max(spot, strike) * 1.6, 61)
  const payoff = (at) => Math.max(0, option_type === 'put' ? strike - at : at - strike)
  const at = (name) => curve(places, (place) => price({ ...values, spot: place })[name])
  return html`<div class="charts">
    <${Chart}
      title="Price against spot price"
      summary=${`Price of the ${option_type} ${short(data.price)}, of which early exercise ${short(data.early_exercise_premium)}.`}
      x=${places}
      xLabel="Spot price"
      yLabel="Price"
      lines=${[
        { label: 'American', y: at('price'), fill: true },
        { label: 'European', y: at('european_price'), color: 'third' },
        { label: 'Payoff', y: places.map(payoff), color: 'muted', dash: [6, 4], width: 1.5 },
      ]}
      layers=${[point(spot, data.price, { label: short(data.price) })]}
    />
  </div>`
}
