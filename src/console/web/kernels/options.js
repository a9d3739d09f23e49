/** Black–Scholes prices, Greeks and implied volatilities in the browser, and what pages of prices need of this model and of all. */
import { blackScholes as priceOf } from '../../../numerics/options/black-scholes.ts'
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

export const price = (values) => ({ price: priceOf(inputOf(values)), option_type: values.option_type })

export const greeks = (values) => ({
  ...blackScholesGreeks(inputOf(values)),
  option_type: values.option_type,
})

export const implied = (values) => ({
  implied_volatility: impliedVolatility({ ...optionOf(values), price: values.price }),
})

export const payoffLine = {
  label: 'Payoff at maturity',
  axes: ['spot', 'strike'],
  ...{ color: 'muted', width: 1.5 },
}

export const payoff = ({ option_type, spot, strike }) =>
  Math.max(0, option_type === 'put' ? strike - spot : spot - strike)

export const fields = {
  spot: 'spot',
  strike: 'strike',
  volatility: 'volatility',
  maturity: 'time_to_maturity',
}

/**
 * What pages of prices need of a model: `fields` that are spot, strike, volatility and maturity; `names` of the outputs of `numbers(values)`,
 * of which `price` is that of `price(values)`; `lines` of a picture of the price, with the numbers of `curve(values)` in their order, each
 * against all axes or those it names; `places` of a curve; `path` of the service's price; and `hasGrid(values)`: false where volatilities
 * are not decimals.
 */
export const blackScholes = {
  fields,
  names: ['price', 'delta', 'gamma', 'vega', 'theta', 'rho'],
  price: (values) => price(values).price,
  numbers: (values) => ({ ...price(values), ...greeks(values) }),
  lines: [{ label: 'Price', fill: true }, payoffLine],
  curve: (values) => [price(values).price, payoff(values)],
  places: 97,
  path: '/quantlib/pricing/bs/price',
}
