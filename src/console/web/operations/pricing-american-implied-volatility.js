/** Implied volatility of an American price: the price as a function of the volatility, and where the given one meets it. */
import { implied } from '../../../results/american.ts'
import { impliedPicture } from '../insight/implied.js'
import { americanOption } from '../kernels/american.js'

export const preview = implied
export { headline } from './pricing-bs-implied-volatility.js'
export const Picture = impliedPicture(americanOption, implied)
