/** Implied volatility: the price as a function of the volatility, and where the given price meets it. */
import type { PricingBsImpliedVolatilityData } from '../../../../clients/typescript/types.ts'
import { implied } from '../../../numerics/results/black-scholes.ts'
import { quantity } from '../greek-units.ts'
import { impliedPicture } from '../insight/insight.tsx'
import { blackScholes } from '../kernels/options.ts'

export const lead =
  'To quote a European option by its volatility: the one at which the model gives the market price.'

export const preview = implied
export const headline = (data: PricingBsImpliedVolatilityData) => [
  quantity('implied_volatility', data.implied_volatility),
]
export const Picture = impliedPicture(blackScholes, implied)
