/** Forward option price: the price against forward, volatility, maturity and strike, with its Greeks. */
import type { PricingForwardPriceData } from '../../../../clients/typescript/types.ts'
import { price } from '../../../numerics/results/forward.ts'
import { quantity } from '../greek-units.ts'
import { pricePicture } from '../insight/insight.tsx'
import { forwardOption } from '../kernels/forward-option.ts'

export const lead =
  'To price a European option on a forward or future: by Black-76, or by Bachelier where prices may be below 0.'

export const preview = price
export const headline = (data: PricingForwardPriceData) => [quantity('price', data.price)]
export const Picture = pricePicture({
  model: forwardOption,
  price: (data: PricingForwardPriceData) => data.price,
})
