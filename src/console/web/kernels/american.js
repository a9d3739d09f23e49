/** American options in the browser. */
import { americanBoundary } from '../../../numerics/options/american/american-boundary.ts'
import { americanImpliedVolatility } from '../../../numerics/options/american/american-implied-volatility.ts'
import { americanOption } from '../../../numerics/options/american/american-option.ts'
import { optionOf } from './options.js'

const inputOf = (values) => ({ ...optionOf(values), volatility: values.volatility })

export function price(values) {
  const { premium, europeanPrice, ...others } = americanOption(inputOf(values))
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
