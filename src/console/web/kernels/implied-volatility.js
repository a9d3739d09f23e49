/** The implied volatility in the browser. */
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { optionOf } from './options.js'

export const implied = (values) => ({
  implied_volatility: impliedVolatility({ ...optionOf(values), price: values.price }),
})
