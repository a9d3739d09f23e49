/** The model of American prices (options.ts describes models). */
// @ts-nocheck: to be converted
import { price } from '../../../numerics/results/american.ts'
import { fields, payoff, payoffLine } from './options.ts'

export const americanOption = {
  fields,
  names: ['price', 'early_exercise_premium', 'delta', 'gamma', 'theta'],
  price: (values) => price(values).price,
  numbers: price,
  lines: [{ label: 'American', fill: true }, { label: 'European', color: 'third' }, payoffLine],
  curve: (values) => {
    const found = price(values)
    return [found.price, found.european_price, payoff(values)]
  },
  places: 49,
  path: '/quantlib/pricing/american/price',
}
