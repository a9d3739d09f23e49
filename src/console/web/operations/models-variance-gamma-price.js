/** Variance Gamma price: beside Black–Scholes, and its implied smile. */
import { html } from '../html.js'
import { blackScholesCall, equalVariance, impliedFrom, varianceGamma } from '../kernels/variance-gamma.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point } from '../pictures/layers.js'
import { curve, evenly } from '../pictures/sampling.js'

export const preview = varianceGamma
export const headline = (data) => [{ name: 'vg_call_price', label: 'Call price', value: data.vg_call_price }]

export function Picture({ values, data }) {
  const { S, K } = values
  const price = data.vg_call_price
  const strikes = evenly(Math.min(K, S) * 0.6, Math.max(K, S) * 1.5, 73)
  const volatility = equalVariance(values)
  const prices = curve(strikes, (K) => varianceGamma({ ...values, K }).vg_call_price)
  const smile = strikes.map((K, i) =>
    prices[i] > S * 1e-9 ? impliedFrom({ ...values, K }, prices[i]) : null,
  )
  const own = impliedFrom(values, price)
  return html`<div class="charts">
    <${Chart}
      title="Price against strike price"
      summary=${`Variance Gamma call against the strike price beside Black–Scholes of equal variance; ${short(price)} at ${short(K)}.`}
      x=${strikes}
      xLabel="Strike price"
      yLabel="Price"
      lines=${[
        { label: 'Variance Gamma', y: prices },
        {
          label: 'Black–Scholes',
          y: curve(strikes, (K) => blackScholesCall({ ...values, K }, volatility)),
          color: 'third',
          dash: [6, 4],
        },
      ]}
      layers=${[point(K, price, { label: short(price) })]}
    />
    <${Chart}
      title="Implied volatility smile"
      summary=${`Black–Scholes volatility implied by the Variance Gamma price${own === null ? '' : `; ${short(own)} at strike price ${short(K)}`}.`}
      x=${strikes}
      xLabel="Strike price"
      yLabel="Implied volatility"
      lines=${[
        { label: 'Implied by Variance Gamma', y: smile },
        { label: 'Equal variance', y: strikes.map(() => volatility), color: 'third', dash: [6, 4] },
      ]}
      layers=${own === null ? [] : [point(K, own, { label: short(own) })]}
    />
  </div>`
}
