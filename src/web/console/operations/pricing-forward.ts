/** Options on forwards: the price against forward, volatility, maturity and strike, the Greeks, and the implied volatility. */
import type {
  PricingForwardGreeksData,
  PricingForwardImpliedVolatilityData,
  PricingForwardPriceData,
} from '../../../../clients/typescript/types.ts'
import * as results from '../../../numerics/results/forward.ts'
import { higherGreeks, quantities, quantity } from '../greek-units.ts'
import { greeksPicture, impliedPicture, pricePicture } from '../insight/insight.tsx'
import { forwardOption } from '../kernels/price-models.ts'

export const price = {
  lead: 'To price a European option on a forward or future: by Black-76, or by Bachelier where prices may be below 0.',
  preview: results.price,
  headline: (data: PricingForwardPriceData) => [quantity('price', data.price)],
  Picture: pricePicture({
    model: forwardOption,
    price: (data: PricingForwardPriceData) => data.price,
  }),
}

export const greeks = {
  lead: 'To hedge an option on a forward or future: the sensitivities of its price to forward, volatility, time and the rate.',
  preview: results.greeks,
  headline: (data: PricingForwardGreeksData) =>
    quantities([...forwardOption.names.slice(1), ...higherGreeks], data),
  Picture: greeksPicture({ model: forwardOption }),
}

export const impliedVolatility = {
  lead: 'To quote an option on a forward or future by its volatility, lognormal or normal.',
  preview: results.implied,
  /** The volatility is a decimal, or by Bachelier's model in units of the forward: `per year` holds for both. */
  headline: (data: PricingForwardImpliedVolatilityData) => [
    { ...quantity('implied_volatility', data.implied_volatility), unit: 'per year' },
  ],
  Picture: impliedPicture(forwardOption, results.implied),
}
