/** Black–Scholes Greeks: each against spot, volatility or maturity. */
import { greeks } from '../../../results/black-scholes.ts'
import { quantity } from '../greek-units.js'
import { greeksPicture } from '../insight/insight.js'
import { blackScholes } from '../kernels/options.js'

const names = ['delta', 'gamma', 'vega', 'theta', 'rho']

export const preview = greeks
export const headline = (data) => names.map((name) => quantity(name, data[name]))
export const Picture = greeksPicture({ model: blackScholes })
