/** The model of American prices. */
import { price } from '../../../numerics/results/american.ts'
import type { Option } from '../../../numerics/results/black-scholes.ts'
import { fields, type PriceModel, payoff, payoffLine } from './options.ts'

export const americanOption: PriceModel = {
  fields,
  names: ['price', 'early_exercise_premium', 'delta', 'gamma', 'vega', 'theta', 'rho', 'dividend_rho'],
  price: (values: Option) => price(values).price,
  numbers: (values: Option) => price(values),
  lines: [{ label: 'American', fill: true }, { label: 'European', color: 'third' }, payoffLine],
  curve: (values: Option) => {
    const found = price(values)
    return [found.price, found.european_price, payoff(values)]
  },
  places: 49,
  path: '/quantlib/pricing/american/price',
}
