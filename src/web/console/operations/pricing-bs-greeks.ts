/** Black–Scholes Greeks: each against spot, volatility or maturity. */
import type { PricingBsGreeksData } from '../../../../clients/typescript/types.ts'
import { greeks } from '../../../numerics/results/black-scholes.ts'
import { higherGreeks, quantities } from '../greek-units.ts'
import { greeksPicture } from '../insight/insight.tsx'
import { blackScholes } from '../kernels/options.ts'

export const lead =
  'To hedge a European option: the sensitivities of its price to spot, volatility, time and rates.'

export const preview = greeks
export const headline = (data: PricingBsGreeksData) =>
  quantities([...blackScholes.names.slice(1), ...higherGreeks], data)
export const Picture = greeksPicture({ model: blackScholes })
