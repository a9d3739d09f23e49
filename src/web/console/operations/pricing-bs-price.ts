/** Black–Scholes price: the price against spot, volatility, maturity and strike, with its Greeks and scenarios. */
import type { PricingBsPriceData } from '../../../../clients/typescript/types.ts'
import { price } from '../../../numerics/results/black-scholes.ts'
import { quantity } from '../greek-units.ts'
import { pricePicture } from '../insight/insight.tsx'
import { blackScholes } from '../kernels/options.ts'

export const lead =
  'To price a European call or put from its volatility, and to see what it gains or loses as the market and time move.'

export const preview = price
export const headline = (data: PricingBsPriceData) => [quantity('price', data.price)]
export const Picture = pricePicture({ model: blackScholes, price: (data: PricingBsPriceData) => data.price })
