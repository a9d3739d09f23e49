/** Forward option Greeks: each against forward, volatility or maturity. */
import { greeks } from '../../../results/forward.ts'
import { quantities } from '../greek-units.js'
import { greeksPicture } from '../insight/insight.js'
import { forwardOption } from '../kernels/forward-option.js'

export const preview = greeks
export const headline = (data) => quantities(forwardOption.names.slice(1), data)
export const Picture = greeksPicture({ model: forwardOption })
