/** The model of Variance Gamma prices, and the volatilities that they imply. */
import { blackScholes } from '../../../numerics/options/black-scholes.ts'
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import type { OptionType } from '../../../numerics/results/black-scholes.ts'
import { type Call, greeks, optionOf, price } from '../../../numerics/results/variance-gamma.ts'
import type { PriceModel } from './options.ts'

/** Values of the price of a call, or of the Greeks of an option. */
type Values = Call & { readonly option_type?: OptionType }

/** The Black–Scholes volatility at which the log price has the same variance per year, σ² + θ²ν. */
export const equalVariance = ({ sigma, theta_vg, nu }: Pick<Call, 'sigma' | 'theta_vg' | 'nu'>): number =>
  Math.sqrt(sigma ** 2 + theta_vg ** 2 * nu)

const blackScholesPrice = (values: Values, volatility: number) =>
  blackScholes({ ...optionOf(values), volatility, type: values.option_type ?? 'call' })

/** The implied volatility of a price; null if there is none, or only one that rounding errors decide. */
export function impliedFrom(values: Call, price: number): number | null {
  try {
    return impliedVolatility({ ...optionOf(values), price, type: 'call' })
  } catch {
    return null
  }
}

/** The model of Variance Gamma prices; without an option type it prices a call. */
export const varianceGammaOption: PriceModel = {
  fields: { spot: 'S', strike: 'K', volatility: 'sigma', maturity: 'T' },
  names: ['price', 'delta', 'gamma', 'd_sigma', 'd_theta_vg', 'd_nu', 'theta', 'rho'],
  price: priceOf,
  numbers: (values: Values) => ({
    ...greeks({ option_type: 'call', ...values }),
    price: priceOf(values),
  }),
  lines: [{ label: 'Variance Gamma' }, { label: 'Black–Scholes', color: 'third' }],
  curve: (values: Values) => [priceOf(values), blackScholesPrice(values, equalVariance(values))],
  places: 61,
  path: '/quantlib/models/variance-gamma/price',
}

/** The price, computed by the operation to which the values belong. */
function priceOf({ option_type, ...call }: Values): number {
  return option_type === undefined ? price(call).vg_call_price : greeks({ ...call, option_type }).price
}
