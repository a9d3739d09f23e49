/** Options on a forward in the browser, and what their pages need of the model (options.js). */
import {
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption as priceOf,
} from '../../../numerics/options/forward-option.ts'
import { blackScholes, fields, payoff } from './options.js'

const optionOf = (values) => ({
  forward: values.forward,
  strike: values.strike,
  rate: values.risk_free_rate,
  maturity: values.time_to_maturity,
  type: values.option_type,
})

const inputOf = (values) => ({ ...optionOf(values), volatility: values.volatility })

export const price = (values) => ({
  price: priceOf(values.model, inputOf(values)),
  option_type: values.option_type,
})

export const greeks = (values) => ({
  ...forwardGreeks(values.model, inputOf(values)),
  option_type: values.option_type,
})

export const implied = (values) => ({
  implied_volatility: forwardImpliedVolatility(values.model, { ...optionOf(values), price: values.price }),
})

export const forwardOption = {
  fields: { ...fields, spot: 'forward' },
  names: blackScholes.names,
  price: (values) => price(values).price,
  numbers: (values) => ({ ...price(values), ...greeks(values) }),
  lines: blackScholes.lines,
  curve: (values) => [price(values).price, payoff({ ...values, spot: values.forward })],
  places: 97,
  path: '/quantlib/pricing/forward/price',
  hasGrid: ({ model }) => model === 'black_76',
}
