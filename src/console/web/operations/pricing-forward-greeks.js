/** Forward option Greeks: each against forward, volatility or maturity. */
import { greeks } from '../../../results/forward.ts'
import { quantity } from '../greek-units.js'
import { greeksPicture } from '../insight/insight.js'
import { forwardOption } from '../kernels/forward-option.js'

const names = ['delta', 'gamma', 'vega', 'theta', 'rho']

export const preview = greeks
export const headline = (data) => names.map((name) => quantity(name, data[name]))
export const Picture = greeksPicture({ model: forwardOption })
