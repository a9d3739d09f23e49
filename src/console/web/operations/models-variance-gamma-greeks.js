/** Variance Gamma Greeks: each against spot, volatility or maturity. */
import { greeks } from '../../../results/variance-gamma.ts'
import { quantities } from '../greek-units.js'
import { greeksPicture } from '../insight/insight.js'
import { varianceGammaOption } from '../kernels/variance-gamma.js'

export const preview = greeks
export const headline = (data) => quantities(varianceGammaOption.names, data)
export const Picture = greeksPicture({ model: varianceGammaOption, isInHeadline: true })
