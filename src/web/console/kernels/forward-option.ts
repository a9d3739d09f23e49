/** The models of forward options (options.ts describes models). */
// @ts-nocheck: to be converted
import { greeks, price } from '../../../numerics/results/forward.ts'
import { blackScholes, fields, payoff } from './options.ts'

export const forwardOption = {
  fields: { ...fields, spot: 'forward' },
  names: blackScholes.names,
  price: (values) => price(values).price,
  numbers: (values) => ({ ...price(values), ...greeks(values) }),
  lines: blackScholes.lines,
  curve: (values) => [price(values).price, payoff({ ...values, spot: values.forward })],
  places: 97,
  path: '/quantlib/pricing/forward/price',
  hasGrid: ({ model }) => model === 'black_76',
}
