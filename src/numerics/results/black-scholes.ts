/** Black–Scholes prices, Greeks and implied volatilities, by the names of requests and replies. */
import { type BlackScholesInput, blackScholes } from '../options/black-scholes.ts'
import { blackScholesGreeks } from '../options/black-scholes-greeks.ts'
import { type ImpliedVolatilityInput, impliedVolatility } from '../options/implied-volatility.ts'

export type OptionType = BlackScholesInput['type']

/** The names of requests for parameters that the mathematics calls otherwise. Requests are read, and refusals told, by this table. */
export const NAMES = {
  rate: 'risk_free_rate',
  maturity: 'time_to_maturity',
  dividendYield: 'dividend_yield',
  type: 'option_type',
} as const

/** A request with the parameters of a function, by the names of requests. */
export type RequestOf<Input, Names extends Readonly<Record<string, string>>> = {
  readonly [Name in keyof Input as Name extends keyof Names ? Names[Name] : Name]: Input[Name]
}

export type Option = RequestOf<BlackScholesInput, typeof NAMES>

export type Quote = RequestOf<ImpliedVolatilityInput, typeof NAMES>

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
