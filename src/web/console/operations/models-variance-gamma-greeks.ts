/** Variance Gamma Greeks: each against spot, volatility or maturity. */
import type { ModelsVarianceGammaGreeksData } from '../../../../clients/typescript/types.ts'
import { greeks } from '../../../numerics/results/variance-gamma.ts'
import { quantities } from '../greek-units.ts'
import { greeksPicture } from '../insight/insight.tsx'
import { varianceGammaOption } from '../kernels/variance-gamma.ts'

export const lead =
  'To hedge a European option under Variance Gamma: the sensitivities to the market and to the parameters of the model.'

export const preview = greeks
export const headline = (data: ModelsVarianceGammaGreeksData) => quantities(varianceGammaOption.names, data)
export const Picture = greeksPicture({ model: varianceGammaOption })
