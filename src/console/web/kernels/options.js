/** Option prices and their inverse in the browser, from and to the names of the requests. */
import { blackScholes } from '../../../numerics/options/black-scholes.ts'
import { blackScholesGreeks } from '../../../numerics/options/black-scholes-greeks.ts'

const inputOf = (values) => ({
  spot: values.spot,
  strike: values.strike,
  rate: values.risk_free_rate,
  volatility: values.volatility,
  maturity: values.time_to_maturity,
  dividendYield: values.dividend_yield,
  type: values.option_type,
})

export const price = (values) => ({ price: blackScholes(inputOf(values)), option_type: values.option_type })

export const greeks = (values) => ({
  ...blackScholesGreeks(inputOf(values)),
  option_type: values.option_type,
})
