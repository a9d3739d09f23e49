/** Discounted amounts, and the discounted payoff of the forward. */
import { type DoubleDouble, productError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { exactProduct, scaledProduct } from '../arithmetic/scaled-product.ts'

/**
 * |S·exp(−qT) − K·exp(−rT)| from the discounted spot and strike. Near x = ln(S/K) + (r − q)T = 0, where the difference cancels,
 * it is the smaller of them times exp(|x|) − 1.
 */
export function forwardValue(x: DoubleDouble, spotNow: number, strikeNow: number): number {
  if (Math.abs(x.high) > 1) return Math.abs(spotNow - strikeNow)
  return x.high > 0 ? strikeNow * (Math.expm1(x.high) + x.low) : spotNow * (Math.expm1(-x.high) - x.low)
}

/** amount·exp(−rate·maturity), corrected for the rounding of the exponent. */
export function discounted(amount: number, rate: number, maturity: number): number {
  const exponent = -rate * maturity
  // Beyond this the exponential alone could over- or underflow although the product does not.
  if (!(Math.abs(exponent) < 600)) return scaledProduct(exactProduct(-rate, maturity), [amount])
  return amount * Math.exp(exponent) * (1 + zeroIfNaN(productError(-rate, maturity, exponent)))
}
