/** Implied volatility: the price as a function of the volatility, and where the given price meets it. */
import { implied } from '../kernels/implied-volatility.js'
import { price } from '../kernels/options.js'
import { impliedPicture } from '../pictures/implied.js'

export const preview = implied
export const headline = (data) => [
  { name: 'implied_volatility', label: 'Implied volatility', value: data.implied_volatility },
]
export const Picture = impliedPicture('Black–Scholes price', price)
