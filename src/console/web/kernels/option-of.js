/** An option in the names of the numerics, from the names of the requests. */
export const optionOf = (values) => ({
  spot: values.spot,
  strike: values.strike,
  rate: values.risk_free_rate,
  maturity: values.time_to_maturity,
  dividendYield: values.dividend_yield,
  type: values.option_type,
})
