/** American options in the browser, and what their pages need of the model (options.js). */
import { americanBoundary } from '../../../numerics/options/american/american-boundary.ts'
import { americanImpliedVolatility } from '../../../numerics/options/american/american-implied-volatility.ts'
import { americanOption as optionBy } from '../../../numerics/options/american/american-option.ts'
import { fields, optionOf, payoff, payoffLine } from './options.js'

const inputOf = (values) => ({ ...optionOf(values), volatility: values.volatility })

export function price(values) {
  const { premium, europeanPrice, ...others } = optionBy(inputOf(values))
  return {
    ...others,
    european_price: europeanPrice,
    early_exercise_premium: premium,
    option_type: values.option_type,
  }
}

export const boundary = (values) => ({ critical_prices: americanBoundary(inputOf(values), values.times) })

export const implied = (values) => ({
  implied_volatility: americanImpliedVolatility({ ...optionOf(values), price: values.price }),
})

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
