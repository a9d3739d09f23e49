/** Black–Scholes prices, Greeks and implied volatilities in the browser. */
import { blackScholes } from '../../../numerics/options/black-scholes.ts'
import { blackScholesGreeks } from '../../../numerics/options/black-scholes-greeks.ts'
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'

/** An option in the names of the numerics, from the names of the requests. */
export const optionOf = (values) => ({
  spot: values.spot,
  strike: values.strike,
  rate: values.risk_free_rate,
  maturity: values.time_to_maturity,
  dividendYield: values.dividend_yield,
  type: values.option_type,
})

const inputOf = (values) => ({ ...optionOf(values), volatility: values.volatility })

export const price = (values) => ({ price: blackScholes(inputOf(values)), option_type: values.option_type })

export const greeks = (values) => ({
  ...blackScholesGreeks(inputOf(values)),
  option_type: values.option_type,
})

export const implied = (values) => ({
  implied_volatility: impliedVolatility({ ...optionOf(values), price: values.price }),
})
