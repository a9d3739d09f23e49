/** Variance Gamma Greeks: each against the spot price. */
import { html } from '../html.js'
import { greeks } from '../kernels/variance-gamma.js'
import { labelOf } from '../labels.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point } from '../pictures/layers.js'
import { evenly } from '../pictures/sampling.js'

const names = ['price', 'delta', 'gamma', 'd_sigma', 'd_theta_vg', 'd_nu', 'theta', 'rho']
const colors = ['first', 'third', 'fourth', 'second']

export const preview = greeks
export const headline = (data) => names.map((name) => ({ name, label: labelOf(name), value: data[name] }))

export function Picture({ values, data }) {
  const { S, K } = values
  const spots = evenly(Math.min(S, K) * 0.5, Math.max(S, K) * 1.6, 97)
  const all = spots.map((at) => {
    try {
      return greeks({ ...values, S: at })
    } catch {
      return {}
    }
  })
  return html`<div class="charts small">
    ${names.map(
      (name, i) => html`<${Chart}
        key=${name}
        title=${`${labelOf(name)} against spot price`}
        summary=${`${labelOf(name)} is ${short(data[name])} at spot price ${short(S)}.`}
        height=${200}
        x=${spots}
        xLabel="Spot price"
        yLabel=${labelOf(name)}
        lines=${[{ label: labelOf(name), y: all.map((one) => one[name] ?? null), color: colors[i % colors.length] }]}
        layers=${[point(S, data[name], { label: short(data[name]) })]}
      />`,
    )}
  </div>`
}
