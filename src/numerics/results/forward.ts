/** Prices, Greeks and implied volatilities of options on forwards, by the names of requests and replies. */
import type { BachelierInput } from '../options/bachelier.ts'
import {
  type ForwardModel,
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption,
} from '../options/forward-option.ts'
import type { OptionType } from './black-scholes.ts'

interface Contract {
  readonly forward: number
  readonly strike: number
  readonly risk_free_rate: number
  readonly time_to_maturity: number
  readonly option_type: OptionType
  readonly model: ForwardModel
}

export interface Option extends Contract {
  readonly volatility: number
}

interface Quote extends Contract {
  readonly price: number
}

export const price = (option: Option) => ({
  price: forwardOption(option.model, optionOf(option)),
  option_type: option.option_type,
})

export const greeks = (option: Option) => ({
  ...forwardGreeks(option.model, optionOf(option)),
  option_type: option.option_type,
})

export const implied = (quote: Quote) => ({
  implied_volatility: forwardImpliedVolatility(quote.model, {
    price: quote.price,
    forward: quote.forward,
    strike: quote.strike,
    rate: quote.risk_free_rate,
    maturity: quote.time_to_maturity,
    type: quote.option_type,
  }),
})

const optionOf = (option: Option): BachelierInput => ({
  forward: option.forward,
  strike: option.strike,
  rate: option.risk_free_rate,
  volatility: option.volatility,
  maturity: option.time_to_maturity,
  type: option.option_type,
})
