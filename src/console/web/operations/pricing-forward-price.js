/** Forward option price: the price against forward, volatility, maturity and strike, with its Greeks. */
import { price } from '../../../results/forward.ts'
import { quantity } from '../greek-units.js'
import { pricePicture } from '../insight/insight.js'
import { forwardOption } from '../kernels/forward-option.js'

export const preview = price
export const headline = (data) => [quantity('price', data.price)]
export const Picture = pricePicture({ model: forwardOption, price: (data) => data.price })
