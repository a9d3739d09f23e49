/** Black–Scholes price: the price against spot and strike, with the payoff. */
import { html } from '../html.js'
import { price } from '../kernels/options.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point } from '../pictures/layers.js'
import { curve, evenly } from '../pictures/sampling.js'

export const preview = price
export const headline = (data) => [{ name: 'price', label: 'Price', value: data.price }]

export const Picture = (props) =>
  html`<div class="charts"><${First} ...${props} /><${Second} ...${props} /></div>`

const payoff = ({ option_type }, spot, strike) =>
  Math.max(0, option_type === 'put' ? strike - spot : spot - strike)
const places = ({ spot, strike }) => evenly(Math.max(spot, strike) * 0.25, Math.max(spot, strike) * 1.6)

/** The price against the spot price. */
export function First({ values, data }) {
  const { spot, strike, option_type } = values
  const spots = places(values)
  return html`<${Chart}
    title="Price against spot price"
    summary=${`Price of the ${option_type} against the spot price; ${short(data.price)} at ${short(spot)}.`}
    x=${spots}
    xLabel="Spot price"
    yLabel="Price"
    lines=${[
      { label: 'Price', y: curve(spots, (spot) => price({ ...values, spot }).price), fill: true },
      {
        label: 'Payoff at maturity',
        y: spots.map((spot) => payoff(values, spot, strike)),
        color: 'muted',
        dash: [6, 4],
        width: 1.5,
      },
    ]}
    layers=${[point(spot, data.price, { label: short(data.price) })]}
  />`
}

function Second({ values, data }) {
  const { spot, strike, option_type } = values
  const strikes = places(values)
  return html`<${Chart}
    title="Price against strike price"
    summary=${`Price of the ${option_type} against the strike price; ${short(data.price)} at ${short(strike)}.`}
    x=${strikes}
    xLabel="Strike price"
    yLabel="Price"
    lines=${[
      { label: 'Price', y: curve(strikes, (strike) => price({ ...values, strike }).price), color: 'third' },
      {
        label: 'Payoff at maturity',
        y: strikes.map((strike) => payoff(values, spot, strike)),
        color: 'muted',
        dash: [6, 4],
        width: 1.5,
      },
    ]}
    layers=${[point(strike, data.price, { label: short(data.price) })]}
  />`
}
