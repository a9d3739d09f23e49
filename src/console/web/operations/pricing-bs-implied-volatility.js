/** Implied volatility: the price as a function of the volatility, and where the given price meets it. */
import { implied } from '../../../results/black-scholes.ts'
import { quantity } from '../greek-units.js'
import { impliedPicture } from '../insight/implied.js'
import { blackScholes } from '../kernels/options.js'

export const preview = implied
export const headline = (data) => [quantity('implied_volatility', data.implied_volatility)]
export const Picture = impliedPicture(blackScholes, implied)
