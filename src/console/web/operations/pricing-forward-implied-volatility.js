/** Forward option implied volatility: the price as a function of the volatility, and where the given price meets it. */
import { implied } from '../../../results/forward.ts'
import { quantity } from '../greek-units.js'
import { impliedPicture } from '../insight/implied.js'
import { forwardOption } from '../kernels/forward-option.js'

export const preview = implied
/** The volatility is a decimal, or by Bachelier's model in units of the forward: `per year` holds for both. */
export const headline = (data) => [
  { ...quantity('implied_volatility', data.implied_volatility), unit: 'per year' },
]
export const Picture = impliedPicture(forwardOption, implied)
