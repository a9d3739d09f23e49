/** Black–Scholes Greeks: each against the spot price. */
import { html } from '../html.js'
import { greeks } from '../kernels/options.js'
import { labelOf } from '../labels.js'
import { GreeksCharts } from '../pictures/greeks.js'

const names = ['delta', 'gamma', 'vega', 'theta', 'rho']
const fields = { spot: 'spot', strike: 'strike' }

export const preview = greeks
export const headline = (data) => names.map((name) => ({ name, label: labelOf(name), value: data[name] }))

export const Picture = ({ values, data }) =>
  html`<${GreeksCharts} names=${names} fields=${fields} greeks=${greeks} values=${values} data=${data} />`
