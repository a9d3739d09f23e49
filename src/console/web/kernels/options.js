/** The model of Black–Scholes, as pages of prices need it, and the parts of all models. */
import { greeks, price } from '../../../results/black-scholes.ts'

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
 * A model, as pages of prices need it: `fields` that are spot, strike, volatility and maturity; `names` of the outputs of
 * `numbers(values)`, of which `price` is that of `price(values)`; `lines` of a picture of the price, with the numbers of
 * `curve(values)` in their order, each against all axes or those it names; `places` of a curve; `path` of the service's price;
 * and `hasGrid(values)`: false where volatilities are not decimals.
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
