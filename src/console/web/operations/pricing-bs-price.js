/** Black–Scholes price: the price against spot and strike, with the payoff. */
import { html } from '../html.js'
import { price } from '../kernels/options.js'
import { labelOf } from '../labels.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point } from '../pictures/layers.js'
import { curve, evenly } from '../pictures/sampling.js'

export const preview = price
export const headline = (data) => [{ name: 'price', label: 'Price', value: data.price }]

export const Picture = (props) =>
  html`<div class="charts"><${First} ...${props} /><${Curve} ...${props} field="strike" color="third" /></div>`

/** The price against the spot price. */
export const First = (props) => html`<${Curve} ...${props} field="spot" fill />`

const payoff = ({ option_type, spot, strike }) =>
  Math.max(0, option_type === 'put' ? strike - spot : spot - strike)

/** The price against one of the two prices that it depends on. */
function Curve({ values, data, field, color, fill }) {
  const { spot, strike, option_type } = values
  const at = values[field]
  const places = evenly(Math.max(spot, strike) * 0.25, Math.max(spot, strike) * 1.6)
  return html`<${Chart}
    title=${`Price against ${field} price`}
    summary=${`Price of the ${option_type} against the ${field} price; ${short(data.price)} at ${short(at)}.`}
    x=${places}
    xLabel=${labelOf(field)}
    yLabel="Price"
    lines=${[
      { label: 'Price', y: curve(places, (at) => price({ ...values, [field]: at }).price), color, fill },
      {
        label: 'Payoff at maturity',
        y: places.map((at) => payoff({ ...values, [field]: at })),
        color: 'muted',
        dash: [6, 4],
        width: 1.5,
      },
    ]}
    layers=${[point(at, data.price, { label: short(data.price) })]}
  />`
}
