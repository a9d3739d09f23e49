/** Implied volatility: the price as a function of the volatility, and where the given price meets it. */
import { html } from '../html.js'
import { implied } from '../kernels/implied-volatility.js'
import { price } from '../kernels/options.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point, segment } from '../pictures/layers.js'
import { curve, evenly } from '../pictures/sampling.js'

export const preview = implied
export const headline = (data) => [
  { name: 'implied_volatility', label: 'Implied volatility', value: data.implied_volatility },
]

export function Picture({ values, data }) {
  const found = data.implied_volatility
  const places = evenly(0, Math.max(0.6, found * 2))
  const guide = { color: 'second', dash: [5, 4] }
  return html`<div class="charts">
    <${Chart}
      title="Price against volatility"
      summary=${`The price ${short(values.price)} corresponds to a volatility of ${short(found)}.`}
      height=${320}
      x=${places}
      xLabel="Volatility"
      yLabel="Price"
      lines=${[{ label: 'Black–Scholes price', y: curve(places, (volatility) => price({ ...values, volatility }).price), fill: true }]}
      layers=${[
        segment(0, values.price, found, values.price, guide),
        segment(found, 0, found, values.price, guide),
        point(found, values.price, { label: short(found) }),
      ]}
    />
  </div>`
}
