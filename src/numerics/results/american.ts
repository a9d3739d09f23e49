/** American prices, boundaries and implied volatilities, by the names of requests and replies. */
import { americanBoundary, drawnBoundary as drawn } from '../options/american/american-boundary.ts'
import { americanImpliedVolatility } from '../options/american/american-implied-volatility.ts'
import { americanOption } from '../options/american/american-option.ts'
import { type Option, optionOf, type Quote, quoteOf } from './black-scholes.ts'

export function price(option: Option) {
  const { premium, europeanPrice, dividendRho, ...others } = americanOption(optionOf(option))
  return {
    ...others,
    ...(dividendRho !== undefined && { dividend_rho: dividendRho }),
    european_price: europeanPrice,
    early_exercise_premium: premium,
    option_type: option.option_type,
  }
}

type Times = Option & { readonly times: number[] }

export const boundary = (option: Times) => ({
  critical_prices: americanBoundary(optionOf(option), option.times),
})

/** The boundary for a chart: faster for many times, and less accurate. */
export const drawnBoundary = (option: Times) => ({
  critical_prices: drawn(optionOf(option), option.times),
})

export const implied = (quote: Quote) => ({ implied_volatility: americanImpliedVolatility(quoteOf(quote)) })
