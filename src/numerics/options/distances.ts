/** d₁ and d₂ of the Black–Scholes formula in double-double precision. */
import { type DoubleDouble, productError, zeroIfNaN } from '../arithmetic/double-double.ts'
import { exactProduct, exactSum } from '../arithmetic/scaled-product.ts'

/** Below this maturity the rounding of its square root would underflow. */
const SHORT = 2 ** -500
/** Below this deviation s all results are those for s → 0 with x/s fixed; so x and s are enlarged by the same factor. */
const MINUTE = 2 ** -700
const ENLARGEMENT = 2 ** 600

export interface Distances {
  /** (x + s²/2)/s. */
  readonly d1: DoubleDouble
  /** (x − s²/2)/s. */
  readonly d2: DoubleDouble
  /** |x|/s. */
  readonly y: number
  /** s·enlargement, where s = σ√T. */
  readonly s: number
  readonly enlargement: number
}

/** For x = ln(S/K) + (r − q)T. At σ√T = 0 both distances are infinite, of the sign of x; for x = 0 they are NaN. */
export function distances(x: DoubleDouble, volatility: number, maturity: number): Distances {
  const isShort = maturity < SHORT
  const enlargement = volatility * Math.sqrt(maturity) < MINUTE ? ENLARGEMENT : 1
  const time = isShort ? maturity * 2 ** 600 : maturity
  const sigma = volatility * (isShort ? 2 ** -300 * enlargement : enlargement)

  // root + rootTail = √T, by Newton's step.
  const root = Math.sqrt(time)
  const square = root * root
  const rootTail = root === 0 ? 0 : (0.5 * (time - square - productError(root, root, square))) / root
  const s = sigma * root
  const sTail = zeroIfNaN(productError(sigma, root, s) + sigma * rootTail)
  const high = x.high * enlargement
  const y = high / s
  const product = y * s
  const yTail = (high - product - productError(y, s, product) + x.low * enlargement - y * sTail) / s
  const distance = { high: y, low: zeroIfNaN(yTail) }
  return {
    d1: exactSum(distance, { high: 0.5 * s, low: 0.5 * sTail }),
    d2: exactSum(distance, { high: -0.5 * s, low: -0.5 * sTail }),
    y: Math.abs(y),
    s,
    enlargement,
  }
}

/** −rate·maturity − d²/2, the exponent of a discounted normal density. */
export function densityExponent(d: DoubleDouble, rate: number, maturity: number): DoubleDouble {
  const square = exactProduct(-0.5 * d.high, d.high)
  const half = { high: square.high, low: zeroIfNaN(square.low - d.high * d.low) }
  return exactSum(exactProduct(-rate, maturity), half)
}
