/** American price: beside the European one and the payoff, with its Greeks and scenarios. */
import { price } from '../../../results/american.ts'
import { quantities } from '../greek-units.js'
import { pricePicture } from '../insight/insight.js'
import { americanOption } from '../kernels/american.js'

export const preview = price
export const headline = (data) => quantities(americanOption.names, data)
export const Picture = pricePicture({
  model: americanOption,
  price: (data) => data.price,
  isInHeadline: true,
})
