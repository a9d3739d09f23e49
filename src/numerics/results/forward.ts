/** Prices, Greeks and implied volatilities of options on forwards, by the names of requests and replies. */
import type { BachelierInput } from '../options/bachelier.ts'
import {
  type ForwardModel,
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption,
} from '../options/forward-option.ts'
import type { OptionType } from './black-scholes.ts'

/** The names of requests for parameters that the mathematics calls otherwise. Requests are read, and refusals told, by this table. */
export const NAMES = {
  rate: 'risk_free_rate',
  maturity: 'time_to_maturity',
  type: 'option_type',
} as const

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
    rate: quote[NAMES.rate],
    maturity: quote[NAMES.maturity],
    type: quote[NAMES.type],
  }),
})

const optionOf = (option: Option): BachelierInput => ({
  forward: option.forward,
  strike: option.strike,
  rate: option[NAMES.rate],
  volatility: option.volatility,
  maturity: option[NAMES.maturity],
  type: option[NAMES.type],
})
