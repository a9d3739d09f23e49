/** The implied volatility in the browser. */
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'

export const implied = (values) => ({
  implied_volatility: impliedVolatility({
    price: values.price,
    spot: values.spot,
    strike: values.strike,
    rate: values.risk_free_rate,
    maturity: values.time_to_maturity,
    dividendYield: values.dividend_yield,
    type: values.option_type,
  }),
})
