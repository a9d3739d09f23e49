/** Black–Scholes prices, Greeks and implied volatilities, by the names of requests and replies. */
import { type BlackScholesInput, blackScholes } from '../options/black-scholes.ts'
import { blackScholesGreeks } from '../options/black-scholes-greeks.ts'
import { type ImpliedVolatilityInput, impliedVolatility } from '../options/implied-volatility.ts'

export type OptionType = 'call' | 'put'

/** The names of requests for parameters that the mathematics calls otherwise. Requests are read, and refusals told, by this table. */
export const NAMES = {
  rate: 'risk_free_rate',
  maturity: 'time_to_maturity',
  dividendYield: 'dividend_yield',
  type: 'option_type',
} as const

interface Contract {
  readonly spot: number
  readonly strike: number
  readonly risk_free_rate: number
  readonly time_to_maturity: number
  readonly dividend_yield: number
  readonly option_type: OptionType
}

export interface Option extends Contract {
  readonly volatility: number
}

export interface Quote extends Contract {
  readonly price: number
}

export const price = (option: Option) => ({
  price: blackScholes(optionOf(option)),
  option_type: option.option_type,
})

export const greeks = (option: Option) => ({
  ...blackScholesGreeks(optionOf(option)),
  option_type: option.option_type,
})

export const implied = (quote: Quote) => ({ implied_volatility: impliedVolatility(quoteOf(quote)) })

/** The fields of a request by the names of the mathematics. */
export const optionOf = (option: Option): BlackScholesInput => ({
  spot: option.spot,
  strike: option.strike,
  rate: option[NAMES.rate],
  volatility: option.volatility,
  maturity: option[NAMES.maturity],
  dividendYield: option[NAMES.dividendYield],
  type: option[NAMES.type],
})

/** The fields of a request for an implied volatility, by the names of the mathematics. */
export const quoteOf = (quote: Quote): ImpliedVolatilityInput => ({
  price: quote.price,
  spot: quote.spot,
  strike: quote.strike,
  rate: quote[NAMES.rate],
  maturity: quote[NAMES.maturity],
  dividendYield: quote[NAMES.dividendYield],
  type: quote[NAMES.type],
})
