/** Variance Gamma Greeks: each against the spot price. */
import { html } from '../html.js'
import { greeks } from '../kernels/variance-gamma.js'
import { labelOf } from '../labels.js'
import { GreeksCharts } from '../pictures/greeks.js'

const names = ['price', 'delta', 'gamma', 'd_sigma', 'd_theta_vg', 'd_nu', 'theta', 'rho']
const fields = { spot: 'S', strike: 'K' }

export const preview = greeks
export const headline = (data) => names.map((name) => ({ name, label: labelOf(name), value: data[name] }))

export const Picture = ({ values, data }) =>
  html`<${GreeksCharts} names=${names} fields=${fields} greeks=${greeks} values=${values} data=${data} />`
