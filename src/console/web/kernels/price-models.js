/** What pages of prices need of each model: the fields that are spot, strike, volatility and maturity, and what follows from values of them. */
import { price as american } from './american.js'
import { greeks as forwardGreeks, price as forwardPrice } from './forward-option.js'
import { price as european, greeks } from './options.js'
import {
  blackScholesPrice,
  equalVariance,
  varianceGamma,
  greeks as varianceGammaGreeks,
} from './variance-gamma.js'

const payoffLine = {
  label: 'Payoff at maturity',
  axes: ['spot', 'strike'],
  ...{ color: 'muted', width: 1.5 },
}

const payoff = ({ option_type, spot, strike }) =>
  Math.max(0, option_type === 'put' ? strike - spot : spot - strike)

const fields = {
  spot: 'spot',
  strike: 'strike',
  volatility: 'volatility',
  maturity: 'time_to_maturity',
}

/**
 * Per model: `names` of the outputs of `numbers(values)`, of which `price` is that of `price(values)`; `lines` of a picture of the price, with the
 * numbers of `curve(values)` in their order, each against all axes or those it names; `places` of a curve; `path` of the service's price; and
 * `hasGrid(values)`: false where volatilities are not decimals.
 */
export const blackScholes = {
  fields,
  names: ['price', 'delta', 'gamma', 'vega', 'theta', 'rho'],
  price: (values) => european(values).price,
  numbers: (values) => ({ ...european(values), ...greeks(values) }),
  lines: [{ label: 'Price', fill: true }, payoffLine],
  curve: (values) => [european(values).price, payoff(values)],
  places: 97,
  path: '/quantlib/pricing/bs/price',
}

export const americanOption = {
  fields,
  names: ['price', 'early_exercise_premium', 'delta', 'gamma', 'theta'],
  price: (values) => american(values).price,
  numbers: american,
  lines: [{ label: 'American', fill: true }, { label: 'European', color: 'third' }, payoffLine],
  curve: (values) => {
    const { price, european_price } = american(values)
    return [price, european_price, payoff(values)]
  },
  places: 49,
  path: '/quantlib/pricing/american/price',
}

export const forwardOption = {
  fields: { ...fields, spot: 'forward' },
  names: blackScholes.names,
  price: (values) => forwardPrice(values).price,
  numbers: (values) => ({ ...forwardPrice(values), ...forwardGreeks(values) }),
  lines: blackScholes.lines,
  curve: (values) => [forwardPrice(values).price, payoff({ ...values, spot: values.forward })],
  places: 97,
  path: '/quantlib/pricing/forward/price',
  hasGrid: ({ model }) => model === 'black_76',
}

/** A call where the values name no type. */
export const varianceGammaOption = {
  fields: { spot: 'S', strike: 'K', volatility: 'sigma', maturity: 'T' },
  names: ['price', 'delta', 'gamma', 'd_sigma', 'd_theta_vg', 'd_nu', 'theta', 'rho'],
  price: priceOf,
  numbers: (values) => ({
    ...varianceGammaGreeks({ option_type: 'call', ...values }),
    price: priceOf(values),
  }),
  lines: [{ label: 'Variance Gamma' }, { label: 'Black–Scholes', color: 'third' }],
  curve: (values) => [priceOf(values), blackScholesPrice(values, equalVariance(values))],
  places: 61,
  path: '/quantlib/models/variance-gamma/price',
}

/** As the operation that the values belong to computes it. */
function priceOf(values) {
  return values.option_type === undefined
    ? varianceGamma(values).vg_call_price
    : varianceGammaGreeks(values).price
}
