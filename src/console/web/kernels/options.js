/** Black–Scholes prices and Greeks in the browser. */
import { blackScholes } from '../../../numerics/options/black-scholes.ts'
import { blackScholesGreeks } from '../../../numerics/options/black-scholes-greeks.ts'
import { optionOf } from './option-of.js'

const inputOf = (values) => ({ ...optionOf(values), volatility: values.volatility })

export const price = (values) => ({ price: blackScholes(inputOf(values)), option_type: values.option_type })

export const greeks = (values) => ({
  ...blackScholesGreeks(inputOf(values)),
  option_type: values.option_type,
})
