/** Implied volatility of an American price: the price as a function of the volatility, and where the given one meets it. */
import { implied, price } from '../kernels/american.js'
import { impliedPicture } from '../pictures/implied.js'

export const preview = implied
export { headline } from './pricing-bs-implied-volatility.js'
export const Picture = impliedPicture('American price', price, 61)
