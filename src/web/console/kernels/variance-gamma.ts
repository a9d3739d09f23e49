/** The model of Variance Gamma prices (options.ts describes models), and the volatilities that they imply. */
// @ts-nocheck: to be converted
import { blackScholes } from '../../../numerics/options/black-scholes.ts'
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { greeks, optionOf, price } from '../../../numerics/results/variance-gamma.ts'

/** The Black–Scholes volatility at which the log price has the same variance per year, σ² + θ²ν. */
export const equalVariance = ({ sigma, theta_vg, nu }) => Math.sqrt(sigma ** 2 + theta_vg ** 2 * nu)

const blackScholesPrice = (values, volatility) =>
  blackScholes({ ...optionOf(values), volatility, type: values.option_type ?? 'call' })

/** The implied volatility of a price; null if there is none, or only one that rounding errors decide. */
export function impliedFrom(values, price) {
  try {
    return impliedVolatility({ ...optionOf(values), price, type: 'call' })
  } catch {
    return null
  }
}

/** The model of Variance Gamma prices; without an option type it prices a call. */
export const varianceGammaOption = {
  fields: { spot: 'S', strike: 'K', volatility: 'sigma', maturity: 'T' },
  names: ['price', 'delta', 'gamma', 'd_sigma', 'd_theta_vg', 'd_nu', 'theta', 'rho'],
  price: priceOf,
  numbers: (values) => ({
    ...greeks({ option_type: 'call', ...values }),
    price: priceOf(values),
  }),
  lines: [{ label: 'Variance Gamma' }, { label: 'Black–Scholes', color: 'third' }],
  curve: (values) => [priceOf(values), blackScholesPrice(values, equalVariance(values))],
  places: 61,
  path: '/quantlib/models/variance-gamma/price',
}

/** The price, computed by the operation to which the values belong. */
function priceOf(values) {
  return values.option_type === undefined ? price(values).vg_call_price : greeks(values).price
}
