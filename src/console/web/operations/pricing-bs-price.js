/** Black–Scholes price: the price against spot, volatility, maturity and strike, with its Greeks and scenarios. */
import { price } from '../../../results/black-scholes.ts'
import { quantity } from '../greek-units.js'
import { pricePicture } from '../insight/insight.js'
import { blackScholes } from '../kernels/options.js'

export const preview = price
export const headline = (data) => [quantity('price', data.price)]
export const Picture = pricePicture({ model: blackScholes, price: (data) => data.price })
