/** Forward option implied volatility: the price as a function of the volatility, and where the given price meets it. */
import type { PricingForwardImpliedVolatilityData } from '../../../../clients/typescript/types.ts'
import { implied } from '../../../numerics/results/forward.ts'
import { quantity } from '../greek-units.ts'
import { impliedPicture } from '../insight/insight.tsx'
import { forwardOption } from '../kernels/forward-option.ts'

export const lead = 'To quote an option on a forward or future by its volatility, lognormal or normal.'

export const preview = implied
/** The volatility is a decimal, or by Bachelier's model in units of the forward: `per year` holds for both. */
export const headline = (data: PricingForwardImpliedVolatilityData) => [
  { ...quantity('implied_volatility', data.implied_volatility), unit: 'per year' },
]
export const Picture = impliedPicture(forwardOption, implied)
