/** Logarithmic utility: the curve with its tangent. */
import { utility } from '../../../results/scalars.ts'
import { quantities } from '../greek-units.js'
import { html } from '../html.js'
import { short } from '../numbers.js'
import { Chart } from '../pictures/chart.js'
import { point } from '../pictures/layers.js'
import { evenly } from '../pictures/sampling.js'

export const preview = utility
export const headline = (data) => quantities(Object.keys(data), data)

export function Picture({ values, data }) {
  const { wealth } = values
  const places = evenly(wealth * 0.02, wealth * 2.5, 161)
  return html`<div class="charts">
    <${Chart}
      title="Utility against wealth, with its tangent"
      summary=${`Utility ${short(data.utility)} at wealth ${short(wealth)}; slope ${short(data.marginal_utility)}.`}
      height=${320}
      range=${{ y: [data.utility - 3, data.utility + 1.6] }}
      x=${places}
      xLabel="Wealth"
      yLabel="Utility"
      lines=${[
        { label: 'ln(wealth)', y: places.map(Math.log), fill: false },
        {
          label: 'Tangent: marginal utility',
          y: places.map((place) => data.utility + data.marginal_utility * (place - wealth)),
          color: 'second',
        },
      ]}
      layers=${[point(wealth, data.utility, { label: short(data.utility) })]}
    />
  </div>`
}
