/** American price: beside the European one and the payoff, with its Greeks and scenarios. */
import type { PricingAmericanPriceData } from '../../../../clients/typescript/types.ts'
import { price } from '../../../numerics/results/american.ts'
import { quantities } from '../greek-units.ts'
import { pricePicture } from '../insight/insight.tsx'
import { americanOption } from '../kernels/american.ts'

export const lead = 'To price an option that may be exercised early, and to see what that right is worth.'

export const preview = price
export const headline = (data: PricingAmericanPriceData) => quantities(americanOption.names, data)
export const Picture = pricePicture({
  model: americanOption,
  price: (data: PricingAmericanPriceData) => data.price,
})
