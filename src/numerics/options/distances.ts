/** d₁ and d₂ of the Black–Scholes formula in double-double precision. */
import { type DoubleDouble, productError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { exactProduct, exactSum, scaledProduct } from '../arithmetic/scaled-product.ts'
import { NORMAL_PEAK } from './mills-ratio.ts'

export interface Distances {
  /** (x + s²/2)/s. */
  readonly d1: DoubleDouble
  /** (x − s²/2)/s. */
  readonly d2: DoubleDouble
  /** |x|/s. */
  readonly y: number
  /** σ√T. */
  readonly s: number
}

/** For x = ln(S/K) + (r − q)T. At s = 0 both distances are infinite, of the sign of x; for x = 0 they are NaN. */
export function distances(x: DoubleDouble, volatility: number, maturity: number): Distances {
  // root + rootTail = √T, by Newton's step.
  const root = Math.sqrt(maturity)
  const square = root * root
  const rootTail = root === 0 ? 0 : (0.5 * (maturity - square - productError(root, root, square))) / root
  const s = volatility * root
  const sTail = zeroIfNaN(productError(volatility, root, s) + volatility * rootTail)
  const y = x.high / s
  const product = y * s
  const yTail = (x.high - product - productError(y, s, product) + x.low - y * sTail) / s
  const distance = { high: y, low: zeroIfNaN(yTail) }
  return {
    d1: exactSum(distance, { high: 0.5 * s, low: 0.5 * sTail }),
    d2: exactSum(distance, { high: -0.5 * s, low: -0.5 * sTail }),
    y: Math.abs(y),
    s,
  }
}

/** decay − d²/2, the exponent of a discounted normal density. */
export function densityExponent(d: DoubleDouble, decay: DoubleDouble): DoubleDouble {
  const square = exactProduct(-0.5 * d.high, d.high)
  const half = { high: square.high, low: zeroIfNaN(square.low - d.high * d.low) }
  return exactSum(decay, half)
}

/**
 * exp(exponent)/√(2π) times the factors `above`, over those `below`. A quarter is formed first, because the product may overflow
 * before it is divided by √(2π).
 */
export const normalDensity = (
  exponent: DoubleDouble,
  above: readonly number[],
  below?: readonly number[],
): number => 4 * NORMAL_PEAK * scaledProduct(exponent, [0.25, ...above], below)
