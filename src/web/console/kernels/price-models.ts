/** The models of American, forward and Variance Gamma prices, and the volatilities that the last ones imply. */
import { blackScholes as europeanPrice } from '../../../numerics/options/black-scholes.ts'
import { impliedVolatility } from '../../../numerics/options/implied-volatility.ts'
import { price as americanPrice } from '../../../numerics/results/american.ts'
import type { Option, OptionType } from '../../../numerics/results/black-scholes.ts'
import * as forward from '../../../numerics/results/forward.ts'
import { type Call, greeks, optionOf, price } from '../../../numerics/results/variance-gamma.ts'
import { blackScholes, fields, type PriceModel, payoff, payoffLine } from './options.ts'

export const americanOption: PriceModel = {
  fields,
  names: ['price', 'early_exercise_premium', 'delta', 'gamma', 'vega', 'theta', 'rho', 'dividend_rho'],
  price: (values: Option) => americanPrice(values).price,
  numbers: (values: Option) => americanPrice(values),
  lines: [{ label: 'American', fill: true }, { label: 'European', color: 'third' }, payoffLine],
  curve: (values: Option) => {
    const found = americanPrice(values)
    return [found.price, found.european_price, payoff(values)]
  },
  places: 49,
  path: '/quantlib/pricing/american/price',
}

export const forwardOption: PriceModel = {
  fields: { ...fields, spot: 'forward' },
  names: blackScholes.names,
  price: (values: forward.Option) => forward.price(values).price,
  numbers: (values: forward.Option) => ({ ...forward.price(values), ...forward.greeks(values) }),
  lines: blackScholes.lines,
  curve: (values: forward.Option) => [
    forward.price(values).price,
    payoff({ ...values, spot: values.forward }),
  ],
  places: 97,
  path: '/quantlib/pricing/forward/price',
  hasGrid: ({ model }: forward.Option) => model === 'black_76',
}

/** Values of the price of a call, or of the Greeks of an option. */
type Values = Call & { readonly option_type?: OptionType }

/** The Black–Scholes volatility at which the log price has the same variance per year, σ² + θ²ν. */
export const equalVariance = ({ sigma, theta_vg, nu }: Pick<Call, 'sigma' | 'theta_vg' | 'nu'>): number =>
  Math.sqrt(sigma ** 2 + theta_vg ** 2 * nu)

const blackScholesPrice = (values: Values, volatility: number) =>
  europeanPrice({ ...optionOf(values), volatility, type: values.option_type ?? 'call' })

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
