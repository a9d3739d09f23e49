/** The exponential in double-double precision, for differences that cancel all digits of a double. */
import { type DoubleDouble, productError, sumError } from './double-double.ts'
import { fixedPointLogOfFraction } from './log-of-fraction.ts'
import { exactProduct, exactSum } from './scaled-product.ts'

/** ln 2 as a multiple of 2⁻⁴⁰, whose product with a power is exact, and the rest. */
const LN2 = fixedPointLogOfFraction(2n, 1n, 200n)
const LN2_HIGH = Number(LN2 >> 160n) / 2 ** 40
const LN2_REST = LN2 - ((LN2 >> 160n) << 160n)
const REST_HIGH = Number(LN2_REST) / 2 ** 200
const REST_LOW = Number(LN2_REST - BigInt(REST_HIGH * 2 ** 200)) / 2 ** 200
const DOUBLINGS = 8
/** 1/n!, n = 2…11, as sums of two numbers. */
const coefficients = Array.from({ length: 10 }, (_, index) => reciprocalOfFactorial(index + 2))

/**
 * amount·exp(exponent) with a relative error below 2⁻⁹⁵, for |exponent| < 5600 and a product in the range of doubles (outside
 * it 0 or infinite). exp(r) − 1 by its series for |r| < 0.0014, then eight doublings (e^{2r} − 1 = e(2 + e) for e = e^r − 1).
 */
export function preciseExponential(amount: number, exponent: DoubleDouble): DoubleDouble {
  const power = Math.round(exponent.high / Math.LN2)
  const tail = exactProduct(-power, REST_HIGH)
  const rest = exactSum(
    exactSum({ high: exponent.high - power * LN2_HIGH, low: 0 }, { high: exponent.low, low: 0 }),
    { high: tail.high, low: tail.low - power * REST_LOW },
  )
  const scale = 2 ** -DOUBLINGS
  const r = { high: rest.high * scale, low: rest.low * scale }
  let series = coefficients[coefficients.length - 1]
  for (let k = coefficients.length - 2; k >= 0; k--) series = exactSum(coefficients[k], product(series, r))
  let e = exactSum(r, product(product(r, r), series))
  for (let k = 0; k < DOUBLINGS; k++) e = exactSum({ high: 2 * e.high, low: 2 * e.low }, product(e, e))
  // Amounts at the ends of the range are scaled, so that their products with parts of e stay within it.
  const unit = amount > 2 ** 600 ? 2 ** 400 : amount < 2 ** -600 ? 2 ** -400 : 1
  const scaled = { high: amount / unit, low: 0 }
  const value = exactSum(scaled, product(e, scaled))
  const half = Math.trunc(power / 2)
  const [first, second] = [2 ** half, 2 ** (power - half) * unit]
  return { high: value.high * first * second, low: value.low * first * second }
}

function product(a: DoubleDouble, b: DoubleDouble): DoubleDouble {
  const high = a.high * b.high
  const low = productError(a.high, b.high, high) + (a.high * b.low + a.low * b.high)
  const sum = high + low
  return { high: sum, low: sumError(high, low, sum) }
}

function reciprocalOfFactorial(n: number): DoubleDouble {
  let factorial = 1n
  for (let k = 2n; k <= BigInt(n); k++) factorial *= k
  const high = 1 / Number(factorial)
  const scaled = BigInt(high * 2 ** 80)
  return { high, low: Number((1n << 200n) / factorial - (scaled << 120n)) / 2 ** 200 }
}
