/** Black–Scholes: the price against spot, volatility, maturity and strike, the Greeks, and the implied volatility. */
import type {
  PricingBsGreeksData,
  PricingBsImpliedVolatilityData,
  PricingBsPriceData,
} from '../../../../clients/typescript/types.ts'
import * as results from '../../../numerics/results/black-scholes.ts'
import { higherGreeks, quantities, quantity } from '../greek-units.ts'
import { greeksPicture, impliedPicture, pricePicture } from '../insight/insight.tsx'
import { blackScholes } from '../kernels/options.ts'

export const price = {
  lead: 'To price a European call or put from its volatility, and to see what it gains or loses as the market and time move.',
  preview: results.price,
  headline: (data: PricingBsPriceData) => [quantity('price', data.price)],
  Picture: pricePicture({ model: blackScholes, price: (data: PricingBsPriceData) => data.price }),
}

export const greeks = {
  lead: 'To hedge a European option: the sensitivities of its price to spot, volatility, time and rates.',
  preview: results.greeks,
  headline: (data: PricingBsGreeksData) =>
    quantities([...blackScholes.names.slice(1), ...higherGreeks], data),
  Picture: greeksPicture({ model: blackScholes }),
}

export const impliedVolatility = {
  lead: 'To quote a European option by its volatility: the one at which the model gives the market price.',
  preview: results.implied,
  headline: (data: PricingBsImpliedVolatilityData) => [
    quantity('implied_volatility', data.implied_volatility),
  ],
  Picture: impliedPicture(blackScholes, results.implied),
}
