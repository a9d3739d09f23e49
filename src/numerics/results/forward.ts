/** Prices, Greeks and implied volatilities of options on forwards, by the names of requests and replies. */
import type { BachelierInput } from '../options/bachelier.ts'
import type { BachelierQuote } from '../options/bachelier-implied-volatility.ts'
import {
  type ForwardModel,
  forwardGreeks,
  forwardImpliedVolatility,
  forwardOption,
} from '../options/forward-option.ts'
import type { RequestOf } from './black-scholes.ts'

/** The names of requests for parameters that the mathematics calls otherwise. Requests are read, and refusals told, by this table. */
export const NAMES = {
  rate: 'risk_free_rate',
  maturity: 'time_to_maturity',
  type: 'option_type',
} as const

interface OfModel {
  readonly model: ForwardModel
}

export type Option = RequestOf<BachelierInput, typeof NAMES> & OfModel

type Quote = RequestOf<BachelierQuote, typeof NAMES> & OfModel

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
