/** Black–Scholes Greeks: each against spot, volatility or maturity. */
import { greeks } from '../../../results/black-scholes.ts'
import { quantities } from '../greek-units.js'
import { greeksPicture } from '../insight/insight.js'
import { blackScholes } from '../kernels/options.js'

export const preview = greeks
export const headline = (data) => quantities(blackScholes.names.slice(1), data)
export const Picture = greeksPicture({ model: blackScholes })
