/** Implied volatility: the price as a function of the volatility, and where the given price meets it. */
import { html } from '../html.js'
import { short } from '../numbers.js'
import { Chart } from './chart.js'
import { point, segment } from './layers.js'
import { curve, evenly } from './sampling.js'

/** A picture with a curve of that label; `price` has the fields of a request with a volatility. */
export const impliedPicture = (label, price, count) =>
  function Picture({ values, data }) {
    const found = data.implied_volatility
    const places = evenly(0, Math.max(0.6, found * 2), count)
    const guide = { color: 'second', dash: [5, 4] }
    return html`<div class="charts">
    <${Chart}
      title="Price against volatility"
      summary=${`The price ${short(values.price)} corresponds to a volatility of ${short(found)}.`}
      height=${320}
      x=${places}
      xLabel="Volatility"
      yLabel="Price"
      lines=${[{ label, y: curve(places, (volatility) => price({ ...values, volatility }).price), fill: true }]}
      layers=${[
        segment(0, values.price, found, values.price, guide),
        segment(found, 0, found, values.price, guide),
        point(found, values.price, { label: short(found) }),
      ]}
    />
  </div>`
  }
