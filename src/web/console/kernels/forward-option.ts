/** The model of prices of options on forwards. */
import { greeks, type Option, price } from '../../../numerics/results/forward.ts'
import { blackScholes, fields, type PriceModel, payoff } from './options.ts'

export const forwardOption: PriceModel = {
  fields: { ...fields, spot: 'forward' },
  names: blackScholes.names,
  price: (values: Option) => price(values).price,
  numbers: (values: Option) => ({ ...price(values), ...greeks(values) }),
  lines: blackScholes.lines,
  curve: (values: Option) => [price(values).price, payoff({ ...values, spot: values.forward })],
  places: 97,
  path: '/quantlib/pricing/forward/price',
  hasGrid: ({ model }: Option) => model === 'black_76',
}
