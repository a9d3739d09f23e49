/** The model of Black–Scholes prices, and parts that several models share. */
// @ts-nocheck: to be converted
import { greeks, price } from '../../../numerics/results/black-scholes.ts'

export const payoffLine = {
  label: 'Payoff at maturity',
  axes: ['spot', 'strike'],
  color: 'muted',
  width: 1.5,
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
 * A model is what pages of prices need of an operation:
 * - `fields`: the names of the fields for spot, strike, volatility and maturity; `price(values)`: the price;
 * - `names`: the names of the outputs of `numbers(values)`, which contain the price;
 * - `lines`: the lines of a picture of the price, each against all axes or those of its `axes`; `curve(values)`: their numbers;
 * - `places`: the number of places of a curve; `path`: that of the operation that computes the price;
 * - `hasGrid(values)`: false if volatilities are not decimals.
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
