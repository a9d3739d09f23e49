/** Implied volatility of an American price: the price as a function of the volatility, and where the given one meets it. */
import { implied } from '../../../numerics/results/american.ts'
import { impliedPicture } from '../insight/insight.tsx'
import { americanOption } from '../kernels/american.ts'

export const lead =
  'To quote an American option by its volatility, with the right of early exercise in the price.'

export const preview = implied
export { headline } from './pricing-bs-implied-volatility.ts'
export const Picture = impliedPicture(americanOption, implied)
