/** Forward option Greeks: each against forward, volatility or maturity. */
import type { PricingForwardGreeksData } from '../../../../clients/typescript/types.ts'
import { greeks } from '../../../numerics/results/forward.ts'
import { higherGreeks, quantities } from '../greek-units.ts'
import { greeksPicture } from '../insight/insight.tsx'
import { forwardOption } from '../kernels/forward-option.ts'

export const lead =
  'To hedge an option on a forward or future: the sensitivities of its price to forward, volatility, time and the rate.'

export const preview = greeks
export const headline = (data: PricingForwardGreeksData) =>
  quantities([...forwardOption.names.slice(1), ...higherGreeks], data)
export const Picture = greeksPicture({ model: forwardOption })
