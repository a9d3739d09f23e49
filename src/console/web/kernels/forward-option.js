/** Options on a forward in the browser. */
import {
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption,
} from '../../../numerics/options/forward-option.ts'

const optionOf = (values) => ({
  forward: values.forward,
  strike: values.strike,
  rate: values.risk_free_rate,
  maturity: values.time_to_maturity,
  type: values.option_type,
})

const inputOf = (values) => ({ ...optionOf(values), volatility: values.volatility })

export const price = (values) => ({
  price: forwardOption(values.model, inputOf(values)),
  option_type: values.option_type,
})

export const greeks = (values) => ({
  ...forwardGreeks(values.model, inputOf(values)),
  option_type: values.option_type,
})

export const implied = (values) => ({
  implied_volatility: forwardImpliedVolatility(values.model, { ...optionOf(values), price: values.price }),
})
