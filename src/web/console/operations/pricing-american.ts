/** American options: the price beside the European one and the payoff, and the implied volatility. */
import type { PricingAmericanPriceData } from '../../../../clients/typescript/types.ts'
import * as results from '../../../numerics/results/american.ts'
import { quantities } from '../greek-units.ts'
import { impliedPicture, pricePicture } from '../insight/insight.tsx'
import { americanOption } from '../kernels/price-models.ts'
import { impliedVolatility as europeanVolatility } from './pricing-bs.ts'

export const price = {
  lead: 'To price an option that may be exercised early, and to see what that right is worth.',
  preview: results.price,
  headline: (data: PricingAmericanPriceData) => quantities(americanOption.names, data),
  Picture: pricePicture({
    model: americanOption,
    price: (data: PricingAmericanPriceData) => data.price,
  }),
}

export const impliedVolatility = {
  lead: 'To quote an American option by its volatility, with the right of early exercise in the price.',
  preview: results.implied,
  headline: europeanVolatility.headline,
  Picture: impliedPicture(americanOption, results.implied),
}
