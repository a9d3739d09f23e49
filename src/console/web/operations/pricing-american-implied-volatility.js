/** Implied volatility of an American price: the price as a function of the volatility, and where the given one meets it. */
import { impliedPicture } from '../insight/implied.js'
import { americanOption, implied } from '../kernels/american.js'

export const preview = implied
export { headline } from './pricing-bs-implied-volatility.js'
export const Picture = impliedPicture(americanOption, implied)
